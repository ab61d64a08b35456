import { ownValue, type ReceivedTransfer } from '@tollbridge/chain-port';
import { dataSlice, getAddress, id as topicOf, zeroPadValue } from 'ethers';
import type { EvmLog, EvmTransaction } from '../evm-types';

const transferTopic = topicOf('Transfer(address,address,uint256)');
// 0x and one 32-byte word.
const amountDataLength = 66;

type TransferLog = Pick<EvmLog, 'address' | 'topics' | 'data' | 'logIndex'>;

/** The transfers of a token to one receiver among the logs of a transaction. */
export function tokenTransfers(
  logs: readonly TransferLog[],
  contract: string,
  receiver: string,
  txHash: string,
): ReceivedTransfer[] {
  const [token, to] = [contract.toLowerCase(), addressTopic(receiver)];
  // Compared as texts: a hostile transaction has thousands of logs, and a checksum costs a hash.
  return logs.flatMap(({ address, topics, data, logIndex }) => {
    const isTransfer = topics[0] === transferTopic && topics.length === 3 && data.length === amountDataLength;
    return isTransfer && topics[2] === to && address.toLowerCase() === token
      ? [{ txHash, logIndex, from: getAddress(dataSlice(topics[1]!, 12)), amountAtomic: BigInt(data) }]
      : [];
  });
}

/** Whether another account transfers a token other than this one to the receiver. */
export function hasOtherTokens(
  logs: readonly TransferLog[],
  contract: string | null,
  receiver: string,
): boolean {
  const to = addressTopic(receiver);
  return logs.some(
    ({ address, topics: [topic, from, receivedBy] }) =>
      topic === transferTopic &&
      receivedBy === to &&
      from !== to &&
      // By address: anyone can deploy a contract that calls itself USDC.
      address.toLowerCase() !== contract?.toLowerCase(),
  );
}

/** Only a plain transfer shows in the transaction itself what its receiver got. */
export function coinTransfers(transaction: EvmTransaction, receiver: string): ReceivedTransfer[] {
  if (transaction.to?.toLowerCase() !== receiver.toLowerCase()) return [];
  const { hash: txHash, from, valueAtomic: amountAtomic } = transaction;
  return [{ txHash, logIndex: ownValue, from: getAddress(from), amountAtomic }];
}

const addressTopic = (address: string): string => zeroPadValue(address.toLowerCase(), 32);
