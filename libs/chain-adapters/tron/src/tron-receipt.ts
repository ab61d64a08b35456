import {
  type EvmLog,
  hashField,
  listField,
  MalformedReply,
  readLog,
  recordField,
  safeNumberField,
} from '@tollbridge/evm';

/** What a block did with a transaction. */
export interface TronReceipt {
  height: number;
  /** `0x` and 64 digits. */
  blockHash: string;
  succeeded: boolean;
  /** Indexes count in the block. */
  logs: EvmLog[];
}

/**
 * Null when no block of the node has the transaction. Sender and receiver are not read: some kinds of Tron's transactions
 * have none, and anyone can submit their ids.
 * @throws MalformedReply
 */
export function readTronReceipt(value: unknown, txId: string): TronReceipt | null {
  if (value === null) return null;
  const receipt = recordField(value, 'receipt');
  if (hashField(receipt['transactionHash'], 'receipt.transactionHash') !== `0x${txId}`)
    throw new MalformedReply('receipt.transactionHash');
  const blockHash = hashField(receipt['blockHash'], 'receipt.blockHash');
  const height = safeNumberField(receipt['blockNumber'], 'receipt.blockNumber');
  const logs = listField(receipt['logs'], 'receipt.logs').map(readLog);
  const isForeign = (log: EvmLog) =>
    log.txHash !== `0x${txId}` || log.blockHash !== blockHash || log.height !== height;
  const indexes = new Set(logs.map(({ logIndex }) => logIndex));
  if (logs.some(isForeign) || indexes.size !== logs.length) throw new MalformedReply('receipt.logs');
  return { height, blockHash, succeeded: readStatus(receipt['status']), logs };
}

function readStatus(value: unknown): boolean {
  const status = safeNumberField(value, 'receipt.status');
  if (status > 1) throw new MalformedReply('receipt.status');
  return status === 1;
}
