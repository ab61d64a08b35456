import { transactionStates } from '@tollbridge/contracts';
import { acrossChains, hashOf, oneChain } from '../testing/sample-set';
import { aSetTransaction, aTransactionSet, approval } from './testing/transaction-set.builder';
import {
  applyChainView,
  depthOf,
  failed,
  firstStep,
  gasCost,
  gasEstimate,
  gasUsed,
  isAcross,
  isFinal,
  isUnsigned,
  nextState,
  nextToSend,
  setEvents,
  stepOfTransaction,
  swapOf,
  transitions,
  withTransaction,
  type SetEvent,
  type SetTransaction,
} from './transaction-set';

/** Repeats the table, so that an accidental change of it fails the test. */
const possible: [string, SetEvent, string][] = [
  ['building', 'built', 'built'],
  ['built', 'signed', 'signing'],
  ['built', 'expired', 'expired'],
  ['signing', 'sending', 'submitting'],
  ['signing', 'failed', 'failed'],
  ['signing', 'expired', 'expired'],
  ['submitting', 'sent', 'submitted'],
  ['submitting', 'mined', 'confirming'],
  ['submitting', 'failed', 'failed'],
  ['submitted', 'mined', 'confirming'],
  ['submitted', 'failed', 'failed'],
  ['confirming', 'unmined', 'submitted'],
  ['confirming', 'completed', 'completed'],
  ['confirming', 'failed', 'failed'],
];

const pairs = transactionStates.flatMap((state) => setEvents.map((event) => [state, event] as const));

it.each(pairs)('allows or rejects the transition from %s by %s', (state, event) => {
  const [, , next] = possible.find(([from, what]) => from === state && what === event) ?? [];
  if (next === undefined)
    expect(() => nextState(state, event)).toThrow(`no transition from ${state} by ${event}`);
  else expect(nextState(state, event)).toBe(next);
});

it('returns to an earlier state only by a reorganisation', () => {
  const rank = (state: string) => transactionStates.indexOf(state as never);
  const back = possible.filter(([from, , to]) => rank(to) < rank(from));
  expect(back).toEqual([['confirming', 'unmined', 'submitted']]);
});

it('defines transitions for every state except the final ones', () => {
  const last = transactionStates.filter((state) => Object.keys(transitions[state]).length === 0);
  expect(last).toEqual(transactionStates.filter((state) => isFinal({ state })));
});

describe('isUnsigned', () => {
  const signed = { raw: '0xaa', hash: hashOf('aa') };
  const unsigned = [approval, aSetTransaction()];

  it('returns true for a built set without signatures', () => {
    expect(isUnsigned({ state: 'built', transactions: unsigned })).toBe(true);
  });

  it.each([
    ['one of two', [{ ...approval, signed }, aSetTransaction()]],
    ['the last of two', [approval, aSetTransaction({ signed })]],
    ['all', [{ ...approval, signed }, aSetTransaction({ signed })]],
  ])('returns false for a built set with a signature of %s transactions', (_name, transactions) => {
    expect(isUnsigned({ state: 'built', transactions })).toBe(false);
  });

  it.each(transactionStates.filter((state) => state !== 'built'))(
    'returns false for a set that is %s',
    (state) => {
      expect(isUnsigned({ state, transactions: unsigned })).toBe(false);
    },
  );
});

describe('steps of a set', () => {
  const [originSwap, bridge, destinationSwap] = acrossChains;

  it.each([
    ['a swap on one chain', false, oneChain],
    ['a bridge alone', true, [bridge!]],
    ['a swap before a bridge', true, [originSwap!, bridge!]],
    ['a swap after a bridge', true, [bridge!, destinationSwap!]],
  ])('isAcross of %s is %s', (_name, expected, steps) => {
    expect(isAcross({ steps })).toBe(expected);
  });

  it('derives the step of an approval from its type, and of a swap from its first step', () => {
    const set = aTransactionSet({ steps: [bridge!, destinationSwap!] });
    expect(firstStep(set)).toBe('bridge');
    expect(stepOfTransaction(set, approval)).toBe('approval');
    expect(stepOfTransaction(set, swapOf(set))).toBe('bridge');
    expect(stepOfTransaction(aTransactionSet(), swapOf(aTransactionSet()))).toBe('originSwap');
  });

  it('returns the last transaction as the swap', () => {
    const set = aTransactionSet();
    expect(swapOf(set)).toBe(set.transactions[1]);
  });
});

describe('nextToSend', () => {
  type Status = SetTransaction['status'];
  it.each<[number | undefined, Status[]]>([
    [0, ['waiting']],
    [0, ['waiting', 'waiting', 'waiting']],
    [1, ['confirmed', 'waiting', 'waiting']],
    [2, ['confirmed', 'confirmed', 'waiting']],
    [undefined, ['pending', 'waiting']],
    [undefined, ['failed', 'waiting']],
    [undefined, ['confirmed', 'pending', 'waiting']],
    [undefined, ['pending', 'confirmed', 'waiting']],
    [undefined, ['confirmed', 'failed', 'waiting']],
    [undefined, ['confirmed', 'pending']],
    [undefined, ['confirmed', 'confirmed']],
  ])('returns %s for transactions that are %j', (expected, statuses) => {
    const transactions = statuses.map((status) => aSetTransaction({ status }));
    expect(nextToSend({ transactions })).toBe(expected);
  });
});

describe('applyChainView', () => {
  const receipt = {
    succeeded: true,
    height: 10,
    blockHash: hashOf('01'),
    gasUsed: 40_000n,
    gasPriceAtomic: 10n,
  };
  const receipts = (succeeded: boolean) => new Map([[hashOf('aa'), { ...receipt, succeeded }]]);

  it.each([
    ['confirmed', true],
    ['failed', false],
  ])('stores the time when a transaction was first seen %s', (status, succeeded) => {
    const sent = withTransaction(aTransactionSet({ state: 'submitted' }), 0, {
      status: 'pending',
      sentAtMs: 5,
    });
    const mined = applyChainView(sent, { height: 10, receipts: receipts(succeeded) }, 7);
    const later = applyChainView(mined, { height: 11, receipts: receipts(succeeded) }, 9);
    expect(mined.transactions[0]).toMatchObject({ status, sentAtMs: 5, minedAtMs: 7, confirmations: 1 });
    expect(later.transactions[0]).toMatchObject({ status, sentAtMs: 5, minedAtMs: 7, confirmations: 2 });
  });
});

it.each([
  ['a block above the head', 10, 9, 1],
  ['the latest block', 10, 10, 1],
  ['its child', 10, 11, 2],
  ['the required depth', 10, 12, 3],
  ['a block below the required depth', 10, 13, 3],
])('depthOf counts confirmations at %s', (_name, height, head, expected) => {
  expect(depthOf({ height }, head, 3)).toBe(expected);
});

it('failed stores the failure and the time, and changes no other field', () => {
  const set = aTransactionSet({ state: 'submitted' });
  const failure = { step: 'originSwap' as const, txHash: hashOf('bb'), reason: 'Too little received' };
  expect(failed(set, failure, 1_020_000)).toEqual({ ...set, state: 'failed', failure, endedAtMs: 1_020_000 });
});

it('withTransaction changes one transaction of a copy of the set', () => {
  const set = aTransactionSet();
  const [first, second] = set.transactions;
  expect(withTransaction(set, 1, { status: 'pending' }).transactions).toEqual([
    first,
    { ...second, status: 'pending' },
  ]);
  expect(set.transactions[1]!.status).toBe('waiting');
});

describe('gas of a set', () => {
  const mined = aSetTransaction({ gasUnits: 46_000n, gasUsedUnits: 40_000n, gasPricePerGas: 10n });
  const unmined = aSetTransaction({ gasUnits: 100_000n });

  it('estimates gas over all transactions, and sums used gas and its cost over the mined ones', () => {
    const transactions = [mined, unmined, { ...mined, gasUsedUnits: 1n, gasPricePerGas: 3n }];
    expect(gasEstimate({ transactions })).toBe(192_000n);
    expect(gasUsed({ transactions })).toBe(40_001n);
    expect(gasCost({ transactions })).toBe(400_003n);
  });

  it('returns no cost when one price is missing', () => {
    expect(gasCost({ transactions: [mined, { ...mined, gasPricePerGas: null }] })).toBeNull();
  });
});
