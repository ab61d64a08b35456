import type { Payment } from '@tollbridge/chain-port';
import { decodeOrderPaid, orderPaidTopic } from '@tollbridge/onchain';
import { getAddress } from 'ethers';
import type { EvmLog } from '../evm-types';

export { orderPaidTopic };

/**
 * Decodes an `OrderPaid` event. Returns undefined for any other log.
 * @param contracts checksummed addresses of our payment contracts
 */
export function readPayment(log: EvmLog, contracts: readonly string[]): Payment | undefined {
  if (!contracts.includes(getAddress(log.address))) return undefined;
  const paid = decodeOrderPaid(log);
  if (!paid) return undefined;
  const { height, blockHash, txHash, logIndex } = log;
  return { ...paid, height, blockHash, txHash, logIndex };
}
