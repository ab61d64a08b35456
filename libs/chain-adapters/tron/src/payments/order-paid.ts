import type { Payment } from '@tollbridge/chain-port';
import type { EvmLog } from '@tollbridge/evm';
import { orderPaidTopic } from '@tollbridge/onchain';
import { decodeTronOrderPaid } from '@tollbridge/onchain/tron';
import { bare, toTronLog } from './conversions';

export { orderPaidTopic };

/**
 * Decodes an `OrderPaid` event. Returns undefined for any other log.
 * @param contracts addresses of our payment contracts, in base58
 */
export function readPayment(log: EvmLog, contracts: readonly string[]): Payment | undefined {
  const paid = decodeTronOrderPaid(toTronLog(log));
  if (!paid || !contracts.includes(paid.contract)) return undefined;
  const { orderId, orderHash, payer, fields } = paid;
  const { height, logIndex } = log;
  return {
    orderId,
    orderHash,
    payer,
    fields,
    height,
    logIndex,
    blockHash: bare(log.blockHash),
    txHash: bare(log.txHash),
  };
}
