// Transactions in the format of a node's index.
import { isAbsent, readFields, readList, readOptional, readTextLike } from '@tollbridge/http';
import { readAccount, readHash, readLt, readSeqno, readTime } from './node-fields';

/**
 * A transaction in the index: its position and apparent content. Amounts are read only from the transaction's own
 * cells.
 */
export interface IndexedTransaction {
  /** Raw address. */
  readonly account: string;
  readonly lt: bigint;
  readonly hash: string;
  /** Sequence number of the masterchain block that contains the transaction. */
  readonly seqno: number;
  /** Hash of the first transaction of the trace. Null until the index has assigned it. */
  readonly traceId: string | null;
  readonly prevLt: bigint;
  readonly prevHash: string;
  readonly timeS: number;
  /** True if the computation or the actions failed. */
  readonly isFailed: boolean;
  /** First 32 bits of the incoming message. Null for a message without a body. */
  readonly opcode: number | null;
  readonly isBounced: boolean;
  /** Raw address; null for an external message. */
  readonly source: string | null;
}

export interface Trace {
  /** In the order of their logical times. */
  readonly transactions: readonly IndexedTransaction[];
  /** True if the trace has no pending messages. */
  readonly isComplete: boolean;
  /** Sequence number of the newest masterchain block with a transaction of the trace. */
  readonly seqno: number;
}

// A longer trace is not a payment. It counts as incomplete, because its sender must not make the node appear faulty.
const maxTraceTransactions = 4_096;
export const endlessTrace: Trace = { transactions: [], isComplete: false, seqno: 0 };
const maxPage = 1_000;

/** @throws UnreadableReply */
export const readIndexed = (reply: unknown): IndexedTransaction[] =>
  readList(readFields(reply, 'the reply')['transactions'], 'transactions', maxPage).map(readTransaction);

/** Returns undefined if the index does not have the trace. @throws UnreadableReply */
export function readTrace(reply: unknown): Trace | undefined {
  const traces = readList(readFields(reply, 'the reply')['traces'], 'traces', 16);
  if (traces.length === 0) return undefined;
  const trace = readFields(traces[0], 'a trace');
  const { trace_state: state } = readFields(trace['trace_info'], 'trace_info');
  const byHash = readFields(trace['transactions'] ?? {}, 'transactions');
  const all = Object.values(byHash);
  if (all.length > maxTraceTransactions) return endlessTrace;
  const transactions = all
    .map(readTransaction)
    .sort((one, other) => compare(one.lt, other.lt) || compare(one.account, other.account));
  const isComplete = state === 'complete' && trace['is_incomplete'] !== true && transactions.length > 0;
  return { transactions, isComplete, seqno: Math.max(0, ...transactions.map(({ seqno }) => seqno)) };
}

function readTransaction(item: unknown): IndexedTransaction {
  const fields = readFields(item, 'a transaction');
  const message = readFields(fields['in_msg'] ?? {}, 'in_msg');
  return {
    account: readAccount(fields['account'], 'account'),
    lt: readLt(fields['lt'], 'lt'),
    hash: readHash(fields['hash'], 'hash'),
    seqno: readSeqno(fields['mc_block_seqno'], 'mc_block_seqno'),
    traceId: readOptional(fields['trace_id'], 'trace_id', readHash),
    prevLt: readLt(fields['prev_trans_lt'], 'prev_trans_lt'),
    prevHash: readHash(fields['prev_trans_hash'], 'prev_trans_hash'),
    timeS: readTime(fields['now'], 'now'),
    isFailed: isFailed(fields['description']),
    opcode: readOptional(message['opcode'], 'opcode', readOpcode),
    isBounced: message['bounced'] === true,
    source: readOptional(message['source'], 'source', readAccount),
  };
}

function isFailed(description: unknown): boolean {
  const { aborted, action } = readFields(description, 'description');
  const isActionFailed = !isAbsent(action) && readFields(action, 'action')['success'] === false;
  return aborted === true || isActionFailed;
}

const readOpcode = (value: unknown, path: string): number =>
  Number(readTextLike(value, path, /^0x[0-9a-f]{1,8}$/i, 'an opcode'));

const compare = <T extends bigint | string>(one: T, other: T): number =>
  one < other ? -1 : one > other ? 1 : 0;
