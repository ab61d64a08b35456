import {
  maxOtherTransfers,
  ownValue,
  type OtherTransfer,
  type ReceivedTransfer,
} from '@tollbridge/chain-port';
import { dataSlice, getAddress, id as topicOf, zeroPadValue } from 'ethers';
import type { EvmLog, EvmTransaction } from '../evm-types';

const transferTopic = topicOf('Transfer(address,address,uint256)');
// Length of `0x` and one 32-byte word.
const amountDataLength = 66;

type TransferLog = Pick<EvmLog, 'address' | 'topics' | 'data' | 'logIndex'>;

/** Returns the transfers of a token to one receiver from the logs of a transaction. */
export function tokenTransfers(
  logs: readonly TransferLog[],
  contract: string,
  receiver: string,
  txHash: string,
): ReceivedTransfer[] {
  const [token, to] = [contract.toLowerCase(), addressTopic(receiver)];
  return logs
    .filter((log) => log.address.toLowerCase() === token && isTransferTo(log, to))
    .map((log) => transferOf(log, txHash));
}

/** Returns the transfers of other tokens to the receiver. Includes transfers of the coin if a token is expected. */
export function otherTransfers(
  logs: readonly TransferLog[],
  coins: readonly ReceivedTransfer[],
  { contract, receiver, txHash }: { contract: string | null; receiver: string; txHash: string },
): OtherTransfer[] {
  const to = addressTopic(receiver);
  const tokens = logs
    .filter(
      (log) =>
        // Compares addresses, because anyone can deploy a contract with the name USDC.
        log.address.toLowerCase() !== contract?.toLowerCase() &&
        isTransferTo(log, to) &&
        log.topics[1] !== to &&
        BigInt(log.data) > 0n,
    )
    .slice(0, maxOtherTransfers)
    .map((log) => ({ ...transferOf(log, txHash), tokenAddress: getAddress(log.address) }));
  if (contract === null) return tokens;
  const sent = coins.filter(({ amountAtomic, from }) => amountAtomic > 0n && from !== receiver);
  return [...sent.map((coin) => ({ ...coin, tokenAddress: null })), ...tokens].slice(0, maxOtherTransfers);
}

/** Compares strings, because a hostile transaction can have thousands of logs and each checksum costs a hash. */
const isTransferTo = ({ topics, data }: TransferLog, to: string): boolean =>
  topics[0] === transferTopic && topics.length === 3 && topics[2] === to && data.length === amountDataLength;

const transferOf = ({ topics, data, logIndex }: TransferLog, txHash: string): ReceivedTransfer => ({
  txHash,
  logIndex,
  from: getAddress(dataSlice(topics[1]!, 12)),
  amountAtomic: BigInt(data),
});

/** Returns the transfer of a plain coin transaction. Only such a transaction shows the received coins itself. */
export function coinTransfers(transaction: EvmTransaction, receiver: string): ReceivedTransfer[] {
  if (transaction.to?.toLowerCase() !== receiver.toLowerCase()) return [];
  const { hash: txHash, from, valueAtomic: amountAtomic } = transaction;
  return [{ txHash, logIndex: ownValue, from: getAddress(from), amountAtomic }];
}

const addressTopic = (address: string): string => zeroPadValue(address.toLowerCase(), 32);
