import { UnreadableReply, readFields, readList, readOptional } from '@tollbridge/http';
import type { BlockRef, EvmLog, EvmReceipt, EvmTransaction } from './evm-types';
import { readAddress, readBytes, readHash, readQuantity, readSafeQuantity } from './wire-fields';

// The EVM has the opcodes LOG0 to LOG4.
const maxTopics = 4;

export function readBlock(value: unknown): BlockRef {
  const block = readFields(value, 'block');
  return {
    height: readSafeQuantity(block['number'], 'block.number'),
    hash: readHash(block['hash'], 'block.hash'),
    parentHash: readHash(block['parentHash'], 'block.parentHash'),
    timestamp: readSafeQuantity(block['timestamp'], 'block.timestamp'),
  };
}

/** Parses the header of one height. Returns null if the node has no such block. */
export function readBlockAt(value: unknown, height: number): BlockRef | null {
  if (value === null) return null;
  const block = readBlock(value);
  if (block.height !== height) throw new UnreadableReply('block.number is malformed');
  return block;
}

export function readLog(value: unknown): EvmLog {
  const log = readFields(value, 'log');
  // A log that a reorganisation removed is not part of the chain.
  if (log['removed'] === true) throw new UnreadableReply('log.removed is malformed');
  const topics = readList(log['topics'], 'log.topics').map((topic) => readHash(topic, 'log.topics'));
  if (topics.length > maxTopics) throw new UnreadableReply('log.topics is malformed');
  return {
    address: readAddress(log['address'], 'log.address'),
    topics,
    data: readBytes(log['data'], 'log.data'),
    blockHash: readHash(log['blockHash'], 'log.blockHash'),
    height: readSafeQuantity(log['blockNumber'], 'log.blockNumber'),
    txHash: readHash(log['transactionHash'], 'log.transactionHash'),
    logIndex: readSafeQuantity(log['logIndex'], 'log.logIndex'),
  };
}

/** Returns null if the transaction is not mined, or if this node does not have it. */
export function readReceipt(value: unknown, txHash: string): EvmReceipt | null {
  if (value === null) return null;
  const receipt = readFields(value, 'receipt');
  const blockHash = readHash(receipt['blockHash'], 'receipt.blockHash');
  const height = readSafeQuantity(receipt['blockNumber'], 'receipt.blockNumber');
  const logs = inChainOrder(readList(receipt['logs'], 'receipt.logs').map(readLog));
  if (readHash(receipt['transactionHash'], 'receipt.transactionHash') !== txHash) {
    throw new UnreadableReply('receipt.transactionHash is malformed');
  }
  const foreign = logs.some(
    (log) => log.txHash !== txHash || log.blockHash !== blockHash || log.height !== height,
  );
  if (foreign) throw new UnreadableReply('receipt.logs is malformed');
  return {
    txHash,
    blockHash,
    height,
    succeeded: statusField(receipt['status']),
    from: readAddress(receipt['from'], 'receipt.from'),
    to: readOptional(receipt['to'], 'receipt.to', readAddress),
    gasUsed: readQuantity(receipt['gasUsed'], 'receipt.gasUsed'),
    gasPriceAtomic: readOptional(receipt['effectiveGasPrice'], 'receipt.effectiveGasPrice', readQuantity),
    logs,
  };
}

export function readTransaction(value: unknown, txHash: string): EvmTransaction | null {
  if (value === null) return null;
  const transaction = readFields(value, 'transaction');
  const hash = readHash(transaction['hash'], 'transaction.hash');
  if (hash !== txHash) throw new UnreadableReply('transaction.hash is malformed');
  const blockHash = readOptional(transaction['blockHash'], 'transaction.blockHash', readHash);
  const height = readOptional(transaction['blockNumber'], 'transaction.blockNumber', readSafeQuantity);
  if ((blockHash === null) !== (height === null))
    throw new UnreadableReply('transaction.blockNumber is malformed');
  return {
    hash,
    from: readAddress(transaction['from'], 'transaction.from'),
    to: readOptional(transaction['to'], 'transaction.to', readAddress),
    nonce: readSafeQuantity(transaction['nonce'], 'transaction.nonce'),
    valueAtomic: readQuantity(transaction['value'], 'transaction.value'),
    data: readBytes(transaction['input'], 'transaction.input'),
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
  if (doubled) throw new UnreadableReply('log.logIndex is malformed');
  return sorted;
}

/** Before Byzantium (2017) receipts had a state root instead of a status. No supported chain is that old. */
function statusField(value: unknown): boolean {
  const status = readSafeQuantity(value, 'receipt.status');
  if (status > 1) throw new UnreadableReply('receipt.status is malformed');
  return status === 1;
}
