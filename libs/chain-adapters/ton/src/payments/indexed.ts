// Transactions as the index of a node describes them.
import { fieldsOf, UnreadableReply } from '@tollbridge/http';
import { accountField, hashField, isAbsent, listField, ltField, seqnoField, timeField } from './node-fields';

/** A transaction in the index: where it is, and what it seems to be. Amounts are read from its own cells, never from here. */
export interface IndexedTransaction {
  /** Raw. */
  readonly account: string;
  readonly lt: bigint;
  readonly hash: string;
  /** The masterchain block that contains it. */
  readonly seqno: number;
  /** Hash of the first transaction of its trace; null until the index has assigned one. */
  readonly traceId: string | null;
  readonly prevLt: bigint;
  readonly prevHash: string;
  readonly timeS: number;
  /** Its computation or its actions failed. */
  readonly isFailed: boolean;
  /** First 32 bits of the incoming message; null for a message without. */
  readonly opcode: number | null;
  readonly isBounced: boolean;
  /** Raw; null for an external message. */
  readonly source: string | null;
}

export interface Trace {
  /** In the order of their logical times. */
  readonly transactions: readonly IndexedTransaction[];
  /** No message of it is on its way. */
  readonly isComplete: boolean;
  /** The newest masterchain block with a transaction of it. */
  readonly seqno: number;
}

// Longer traces are no payment. They count as incomplete: their sender must not make the node look broken.
const maxTraceTransactions = 4_096;
export const endlessTrace: Trace = { transactions: [], isComplete: false, seqno: 0 };
const maxPage = 1_000;
const opcodeForm = /^0x[0-9a-f]{1,8}$/i;

/** @throws UnreadableReply */
export const readIndexed = (reply: unknown): IndexedTransaction[] =>
  listField(fieldsOf(reply, 'the reply'), 'transactions', maxPage).map(readTransaction);

/** Undefined where the index knows no such trace. @throws UnreadableReply */
export function readTrace(reply: unknown): Trace | undefined {
  const traces = listField(fieldsOf(reply, 'the reply'), 'traces', 16);
  if (traces.length === 0) return undefined;
  const trace = fieldsOf(traces[0], 'a trace');
  const { trace_state: state } = fieldsOf(trace['trace_info'], 'trace_info');
  const byHash = fieldsOf(trace['transactions'] ?? {}, 'transactions');
  const all = Object.values(byHash);
  if (all.length > maxTraceTransactions) return endlessTrace;
  const transactions = all
    .map(readTransaction)
    .sort((one, other) => compare(one.lt, other.lt) || compare(one.account, other.account));
  const isComplete = state === 'complete' && trace['is_incomplete'] !== true && transactions.length > 0;
  return { transactions, isComplete, seqno: Math.max(0, ...transactions.map(({ seqno }) => seqno)) };
}

function readTransaction(item: unknown): IndexedTransaction {
  const fields = fieldsOf(item, 'a transaction');
  const message = isAbsent(fields['in_msg']) ? {} : fieldsOf(fields['in_msg'], 'in_msg');
  return {
    account: accountField(fields, 'account'),
    lt: ltField(fields, 'lt'),
    hash: hashField(fields, 'hash'),
    seqno: seqnoField(fields, 'mc_block_seqno'),
    traceId: isAbsent(fields['trace_id']) ? null : hashField(fields, 'trace_id'),
    prevLt: ltField(fields, 'prev_trans_lt'),
    prevHash: hashField(fields, 'prev_trans_hash'),
    timeS: timeField(fields, 'now'),
    isFailed: isFailed(fields['description']),
    opcode: readOpcode(message['opcode']),
    isBounced: message['bounced'] === true,
    source: isAbsent(message['source']) ? null : accountField(message, 'source'),
  };
}

function isFailed(description: unknown): boolean {
  const { aborted, action } = fieldsOf(description, 'description');
  const isActionFailed = !isAbsent(action) && fieldsOf(action, 'action')['success'] === false;
  return aborted === true || isActionFailed;
}

function readOpcode(opcode: unknown): number | null {
  if (isAbsent(opcode)) return null;
  if (typeof opcode !== 'string' || !opcodeForm.test(opcode)) throw new UnreadableReply('opcode is none');
  return Number(opcode);
}

const compare = <T extends bigint | string>(one: T, other: T): number =>
  one < other ? -1 : one > other ? 1 : 0;
