import type { BlockRef, EvmLog, EvmReceipt, EvmTransaction } from './evm-types';
import {
  addressField,
  bytesField,
  hashField,
  listField,
  MalformedReply,
  quantityField,
  recordField,
  safeNumberField,
} from './wire-fields';

// The EVM has LOG0 to LOG4.
const maxTopics = 4;

export function readBlock(value: unknown): BlockRef {
  const block = recordField(value, 'block');
  return {
    height: safeNumberField(block['number'], 'block.number'),
    hash: hashField(block['hash'], 'block.hash'),
    parentHash: hashField(block['parentHash'], 'block.parentHash'),
    timestamp: safeNumberField(block['timestamp'], 'block.timestamp'),
  };
}

/** The header of one height, or null when the node has no such block. */
export function readBlockAt(value: unknown, height: number): BlockRef | null {
  if (value === null) return null;
  const block = readBlock(value);
  if (block.height !== height) throw new MalformedReply('block.number');
  return block;
}

export function readLog(value: unknown): EvmLog {
  const log = recordField(value, 'log');
  // A log that a reorganisation removed is not part of the chain.
  if (log['removed'] === true) throw new MalformedReply('log.removed');
  const topics = listField(log['topics'], 'log.topics').map((topic) => hashField(topic, 'log.topics'));
  if (topics.length > maxTopics) throw new MalformedReply('log.topics');
  return {
    address: addressField(log['address'], 'log.address'),
    topics,
    data: bytesField(log['data'], 'log.data'),
    blockHash: hashField(log['blockHash'], 'log.blockHash'),
    height: safeNumberField(log['blockNumber'], 'log.blockNumber'),
    txHash: hashField(log['transactionHash'], 'log.transactionHash'),
    logIndex: safeNumberField(log['logIndex'], 'log.logIndex'),
  };
}

/** null when the transaction is not mined, or not known to this node. */
export function readReceipt(value: unknown, txHash: string): EvmReceipt | null {
  if (value === null) return null;
  const receipt = recordField(value, 'receipt');
  const blockHash = hashField(receipt['blockHash'], 'receipt.blockHash');
  const height = safeNumberField(receipt['blockNumber'], 'receipt.blockNumber');
  const logs = inChainOrder(listField(receipt['logs'], 'receipt.logs').map(readLog));
  if (hashField(receipt['transactionHash'], 'receipt.transactionHash') !== txHash) {
    throw new MalformedReply('receipt.transactionHash');
  }
  const foreign = logs.some(
    (log) => log.txHash !== txHash || log.blockHash !== blockHash || log.height !== height,
  );
  if (foreign) throw new MalformedReply('receipt.logs');
  return {
    txHash,
    blockHash,
    height,
    succeeded: statusField(receipt['status']),
    from: addressField(receipt['from'], 'receipt.from'),
    to: nullable(receipt['to'], (to) => addressField(to, 'receipt.to')),
    gasUsed: quantityField(receipt['gasUsed'], 'receipt.gasUsed'),
    gasPriceAtomic: nullable(receipt['effectiveGasPrice'], (it) =>
      quantityField(it, 'receipt.effectiveGasPrice'),
    ),
    logs,
  };
}

export function readTransaction(value: unknown, txHash: string): EvmTransaction | null {
  if (value === null) return null;
  const transaction = recordField(value, 'transaction');
  const hash = hashField(transaction['hash'], 'transaction.hash');
  if (hash !== txHash) throw new MalformedReply('transaction.hash');
  const blockHash = nullable(transaction['blockHash'], (it) => hashField(it, 'transaction.blockHash'));
  const height = nullable(transaction['blockNumber'], (it) => safeNumberField(it, 'transaction.blockNumber'));
  if ((blockHash === null) !== (height === null)) throw new MalformedReply('transaction.blockNumber');
  return {
    hash,
    from: addressField(transaction['from'], 'transaction.from'),
    to: nullable(transaction['to'], (to) => addressField(to, 'transaction.to')),
    nonce: safeNumberField(transaction['nonce'], 'transaction.nonce'),
    valueAtomic: quantityField(transaction['value'], 'transaction.value'),
    data: bytesField(transaction['input'], 'transaction.input'),
    blockHash,
    height,
  };
}

/** Sorts logs by block and index. Rejects duplicates, which would count as two payments. */
export function inChainOrder(logs: EvmLog[]): EvmLog[] {
  const sorted = [...logs].sort((a, b) => a.height - b.height || a.logIndex - b.logIndex);
  const doubled = sorted.some((log, index) => {
    const next = sorted[index + 1];
    return next?.height === log.height && next.logIndex === log.logIndex;
  });
  if (doubled) throw new MalformedReply('log.logIndex');
  return sorted;
}

/** Before Byzantium (2017) receipts had a state root instead; no chain of ours is that old. */
function statusField(value: unknown): boolean {
  const status = safeNumberField(value, 'receipt.status');
  if (status > 1) throw new MalformedReply('receipt.status');
  return status === 1;
}

function nullable<T>(value: unknown, read: (value: unknown) => T): T | null {
  return value === null || value === undefined ? null : read(value);
}
