import { readIndexed, readTrace } from './indexed';

const base64 = Buffer.alloc(32, 7).toString('base64');
const transaction = {
  account: `0:${'AB'.repeat(32)}`,
  hash: base64,
  lt: '46000000000001',
  now: 1_800_000_000,
  mc_block_seqno: 42,
  trace_id: base64,
  prev_trans_hash: base64,
  prev_trans_lt: '0',
  description: { type: 'ord', aborted: false, compute_ph: { success: true }, action: { success: true } },
  in_msg: { source: `0:${'CD'.repeat(32)}`, opcode: '0x54420003', bounced: false },
};
const changed = (changes: object) => ({ transactions: [{ ...transaction, ...changes }] });

describe('readIndexed', () => {
  it('returns the position of a transaction', () => {
    expect(readIndexed({ transactions: [transaction] })).toEqual([
      {
        account: `0:${'ab'.repeat(32)}`,
        lt: 46_000_000_000_001n,
        hash: '07'.repeat(32),
        seqno: 42,
        traceId: '07'.repeat(32),
        prevLt: 0n,
        prevHash: '07'.repeat(32),
        timeS: 1_800_000_000,
        isFailed: false,
        opcode: 0x54420003,
        isBounced: false,
        source: `0:${'cd'.repeat(32)}`,
      },
    ]);
  });

  it.each([
    ['without a message', { in_msg: null }, { opcode: null, source: null, isBounced: false }],
    ['with an external message', { in_msg: { source: null, opcode: null } }, { source: null, opcode: null }],
    ['that was aborted', { description: { aborted: true } }, { isFailed: true }],
    ['with failed actions', { description: { action: { success: false } } }, { isFailed: true }],
    ['without a trace', { trace_id: undefined }, { traceId: null }],
    ['with unknown fields', { emulated: false, finality: 2 }, { seqno: 42 }],
  ])('parses a transaction %s', (_name, changes, expected) => {
    expect(readIndexed(changed(changes))).toMatchObject([expected]);
  });

  it.each([
    ['no account', { account: undefined }],
    ['an account of another workchain', { account: `7:${'AB'.repeat(32)}` }],
    ['a short hash', { hash: base64.slice(4) }],
    ['a number as its hash', { hash: 7 }],
    ['a logical time as a number', { lt: 46_000_000_000_001 }],
    ['a logical time beyond 64 bits', { lt: '99999999999999999999' }],
    ['a negative block', { mc_block_seqno: -1 }],
    ['a block with a fraction', { mc_block_seqno: 4.5 }],
    ['a block beyond 32 bits', { mc_block_seqno: 2 ** 31 }],
    ['a block as a string', { mc_block_seqno: '42' }],
    ['no previous transaction', { prev_trans_hash: null }],
    ['a time of the far future', { now: 2 ** 33 }],
    ['no description', { description: undefined }],
    ['a description as a string', { description: 'ord' }],
    ['an opcode as a number', { in_msg: { opcode: 5 } }],
    ['a huge opcode', { in_msg: { opcode: '0x123456789' } }],
    ['a message as a string', { in_msg: 'x' }],
    ['a source that is not an address', { in_msg: { source: 'x' } }],
  ])('rejects a transaction with %s', (_name, changes) => {
    expect(() => readIndexed(changed(changes))).toThrow(/is not/);
  });

  it.each([[null], ['x'], [{}], [{ transactions: {} }], [{ transactions: Array(1_001).fill(transaction) }]])(
    'rejects the reply %#',
    (reply) => {
      expect(() => readIndexed(reply)).toThrow(/is not/);
    },
  );
});

describe('readTrace', () => {
  const other = { ...transaction, hash: '11'.repeat(32), lt: '5', mc_block_seqno: 50 };
  const traceOf = (changes: object = {}) => ({
    traces: [
      {
        trace_info: { trace_state: 'complete' },
        is_incomplete: false,
        transactions: { one: transaction, two: other },
        ...changes,
      },
    ],
  });

  it('returns sorted transactions and the newest block', () => {
    const trace = readTrace(traceOf())!;
    expect(trace.transactions.map(({ lt }) => lt)).toEqual([5n, 46_000_000_000_001n]);
    expect(trace).toMatchObject({ isComplete: true, seqno: 50 });
  });

  it.each([
    ['has pending messages', { trace_info: { trace_state: 'pending' } }],
    ['is truncated', { is_incomplete: true }],
    ['has no transactions', { transactions: {} }],
    [
      'is too long',
      {
        transactions: Object.fromEntries(
          Array(4_097)
            .fill(0)
            .map((_, at) => [at, transaction]),
        ),
      },
    ],
  ])('marks a trace as incomplete if it %s', (_name, changes) => {
    expect(readTrace(traceOf(changes))!.isComplete).toBe(false);
  });

  it('returns undefined for an empty list', () => {
    expect(readTrace({ traces: [] })).toBeUndefined();
  });

  it.each([
    ['no state', { trace_info: undefined }],
    ['transactions in a list of strings', { transactions: { one: 'x' } }],
    ['transactions as a string', { transactions: 'x' }],
  ])('rejects a trace with %s', (_name, changes) => {
    expect(() => readTrace(traceOf(changes))).toThrow(/is not/);
  });
});
