import type { ReceivedTransfer } from '@tollbridge/chain-port';
import { dataSlice, getAddress, id as topicOf } from 'ethers';
import type { EvmLog, EvmTransaction } from '../evm-types';

const transferTopic = topicOf('Transfer(address,address,uint256)');
// 0x and one 32-byte word.
const amountDataLength = 66;

/** The transfers of a token to one receiver among the logs of a transaction. */
export function tokenTransfers(
  logs: readonly Pick<EvmLog, 'address' | 'topics' | 'data' | 'logIndex'>[],
  contract: string,
  receiver: string,
  txHash: string,
): ReceivedTransfer[] {
  return logs.flatMap(({ address, topics, data, logIndex }) => {
    const [topic, from, to] = topics;
    const isTransfer = topic === transferTopic && topics.length === 3 && data.length === amountDataLength;
    if (!isTransfer || getAddress(address) !== contract) return [];
    return getAddress(dataSlice(to!, 12)) === getAddress(receiver)
      ? [{ txHash, logIndex, amountAtomic: BigInt(data), from: getAddress(dataSlice(from!, 12)) }]
      : [];
  });
}

/** Only a plain transfer shows in the transaction itself what its receiver got. */
export function coinTransfers(transaction: EvmTransaction | null, receiver: string): ReceivedTransfer[] {
  if (!transaction?.to || transaction.valueAtomic === 0n) return [];
  if (getAddress(transaction.to) !== getAddress(receiver)) return [];
  const { hash: txHash, from, valueAtomic: amountAtomic } = transaction;
  return [{ txHash, logIndex: -1, from: getAddress(from), amountAtomic }];
}
