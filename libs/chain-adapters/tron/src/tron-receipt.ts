import { UnreadableReply, readFields, readList } from '@tollbridge/http';
import { type EvmLog, readHash, readLog, readSafeQuantity } from '@tollbridge/evm';

/** The result of a transaction in a block. */
export interface TronReceipt {
  height: number;
  /** `0x` and 64 digits. */
  blockHash: string;
  succeeded: boolean;
  /** Their indexes are positions in the block. */
  logs: EvmLog[];
}

/**
 * Returns null if no block of the node has the transaction. Sender and receiver are not parsed. Some kinds of Tron's
 * transactions have none, and anyone can submit the ids of such transactions.
 * @throws UnreadableReply
 */
export function readTronReceipt(value: unknown, txId: string): TronReceipt | null {
  if (value === null) return null;
  const receipt = readFields(value, 'receipt');
  if (readHash(receipt['transactionHash'], 'receipt.transactionHash') !== `0x${txId}`)
    throw new UnreadableReply('receipt.transactionHash is malformed');
  const blockHash = readHash(receipt['blockHash'], 'receipt.blockHash');
  const height = readSafeQuantity(receipt['blockNumber'], 'receipt.blockNumber');
  const logs = readList(receipt['logs'], 'receipt.logs').map(readLog);
  const isForeign = (log: EvmLog) =>
    log.txHash !== `0x${txId}` || log.blockHash !== blockHash || log.height !== height;
  const indexes = new Set(logs.map(({ logIndex }) => logIndex));
  if (logs.some(isForeign) || indexes.size !== logs.length)
    throw new UnreadableReply('receipt.logs is malformed');
  return { height, blockHash, succeeded: readStatus(receipt['status']), logs };
}

function readStatus(value: unknown): boolean {
  const status = readSafeQuantity(value, 'receipt.status');
  if (status > 1) throw new UnreadableReply('receipt.status is malformed');
  return status === 1;
}
