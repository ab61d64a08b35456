import { validateSync } from 'class-validator';
import { BuiltSet, ExecutedSet, TransactionStatus, TransactionUpdate } from '@tollbridge/contracts';
import { acrossChains, dai, hashOf } from '../testing/sample-set';
import {
  builtSetView,
  currentStep,
  detailsView,
  executedView,
  statusView,
  timelineOf,
  updateOf,
} from './set-view';
import { aSetTransaction, aTransactionSet, approval } from './testing/transaction-set.builder';
import { failed, transition, type SetTransaction, type TransactionSet } from './transaction-set';

const mined = (confirmations: number): Partial<SetTransaction> => ({
  status: 'confirmed' as const,
  sentAtMs: 1_011_000,
  minedAtMs: 1_012_000,
  confirmations,
  block: { height: 10, hash: hashOf('01') },
  gasUsedUnits: 40_000n,
  gasPricePerGas: 5n,
});
const withStatus = (set: TransactionSet, ...changes: Partial<SetTransaction>[]): TransactionSet => ({
  ...set,
  transactions: set.transactions.map((transaction, at) => ({ ...transaction, ...changes[at] })),
});
const across = aTransactionSet({ state: 'submitted', steps: acrossChains, to: dai });
const delivery = {
  txHash: hashOf('dd'),
  height: 5,
  blockHash: hashOf('0d'),
  amountAtomic: 97n,
  confirmations: 1,
  atMs: 1_015_000,
};
const shape = (set: TransactionSet) => timelineOf(set).map(({ step, status }) => `${step} ${status}`);

/** Expects that a reply matches its contract. */
function valid(of: new () => object, view: object): object {
  expect(validateSync(Object.assign(new of(), view), { forbidUnknownValues: false })).toEqual([]);
  return view;
}

it('shows the transactions to sign and their cost for a built set', () => {
  expect(valid(BuiltSet, builtSetView(aTransactionSet()))).toMatchObject({
    status: 'built',
    transactions: [
      {
        type: 'approval',
        gas: '140000',
        nonce: 7,
        value: '0',
        maxFeePerGas: '20',
        maxPriorityFeePerGas: '1',
      },
      { type: 'swap', nonce: 8 },
    ],
    summary: { totalGasEstimate: '146000', totalGasCostUsd: '0.10', requiredApprovals: 1, estimatedTime: 10 },
    outputAmount: '99',
    minOutputAmount: '98',
    validUntil: 2_000,
  });
  expect(builtSetView(aTransactionSet()).transactions[0]).not.toHaveProperty('gasPrice');
});

it('shows a legacy transaction with its gas price', () => {
  const fees = { isLegacy: true, maxFeePerGas: 30n, maxPriorityFeePerGas: 30n };
  const [view] = builtSetView(aTransactionSet({ transactions: [aSetTransaction({ fees })] })).transactions;
  expect(view).toMatchObject({ gasPrice: '30', maxFeePerGas: '30', maxPriorityFeePerGas: '30' });
});

it('shows sent and waiting transactions with their expected times for an executed set', () => {
  const now = withStatus(aTransactionSet({ state: 'submitted' }), { status: 'pending', sentAtMs: 1_010_500 });
  expect(valid(ExecutedSet, executedView(now, 2_000, 1_011_000))).toEqual({
    transactionId: now.id,
    status: 'submitted',
    transactions: [
      {
        hash: hashOf('aa'),
        chainId: 8453,
        type: 'approval',
        status: 'pending',
        estimatedConfirmation: 1_013,
      },
      { hash: hashOf('bb'), chainId: 8453, type: 'swap', status: 'waiting', estimatedConfirmation: 1_015 },
    ],
    progress: { currentStep: 1, totalSteps: 2, percentage: 0, estimatedCompletion: 1_020 },
  });
  const later = executedView(withStatus(now, mined(1)), 2_000, 1_030_000);
  expect(later.transactions[0]).toEqual({
    hash: hashOf('aa'),
    chainId: 8453,
    type: 'approval',
    status: 'confirmed',
    blockNumber: 10,
    gasUsed: '40000',
  });
  expect(later.progress).toEqual({
    currentStep: 2,
    totalSteps: 2,
    percentage: 50,
    estimatedCompletion: 1_030,
  });
});

it('shows the timeline of a swap on one chain', () => {
  const set = aTransactionSet({ state: 'submitted' });
  expect(shape(set)).toEqual(['approval pending', 'originSwap pending']);
  expect(shape(withStatus(set, { status: 'pending' }))).toEqual(['approval submitted', 'originSwap pending']);
  expect(shape(withStatus(set, mined(1), { status: 'pending' }))).toEqual([
    'approval completed',
    'originSwap submitted',
  ]);
  expect(shape(withStatus(set, mined(2), mined(1)))).toEqual(['approval completed', 'originSwap confirming']);
  expect(shape(withStatus(set, mined(4), mined(3)))).toEqual(['approval completed', 'originSwap completed']);
});

it('shows the timeline of a cross-chain swap', () => {
  expect(shape(across)).toEqual([
    'approval pending',
    'originSwap pending',
    'bridge pending',
    'destinationSwap pending',
  ]);
  const swapped = withStatus(across, mined(2), mined(1));
  expect(shape(swapped)).toEqual([
    'approval completed',
    'originSwap confirming',
    'bridge submitted',
    'destinationSwap pending',
  ]);
  const filled = { ...swapped, delivery };
  expect(shape(filled)).toEqual([
    'approval completed',
    'originSwap completed',
    'bridge confirming',
    'destinationSwap confirming',
  ]);
  expect(timelineOf({ ...filled, delivery: { ...delivery, confirmations: 2 } }).slice(1)).toEqual([
    { step: 'originSwap', status: 'completed', txHash: hashOf('bb'), timestamp: 1_012, gasUsed: '40000' },
    { step: 'bridge', status: 'completed', txHash: hashOf('dd'), timestamp: 1_015, gasUsed: '0' },
    {
      step: 'destinationSwap',
      status: 'completed',
      txHash: hashOf('dd'),
      timestamp: 1_015,
      gasUsed: '0',
      amountOut: '97',
    },
  ]);
});

it('shows a bridge without an origin swap by its own transaction', () => {
  const only = { ...across, steps: acrossChains.slice(1, 2), transactions: across.transactions.slice(1) };
  const done = { ...withStatus(only, mined(4)), delivery: { ...delivery, confirmations: 2 } };
  expect(timelineOf(done)).toMatchObject([{ step: 'bridge', status: 'completed', gasUsed: '40000' }]);
  expect(shape(only)).toEqual(['bridge pending']);
  expect(timelineOf(withStatus(only, { status: 'pending', sentAtMs: 1_011_000 }))).toEqual([
    { step: 'bridge', status: 'submitted', txHash: hashOf('bb'), timestamp: 1_011 },
  ]);
});

it('shows the current step with its confirmations', () => {
  expect(currentStep(across)).toEqual({ step: 'approval', txHash: null, confirmations: 0, required: 1 });
  const waiting = withStatus(across, mined(9), mined(8));
  expect(currentStep(waiting)).toMatchObject({ step: 'bridge', confirmations: 3, required: 3 });
  const sent = withStatus(across, { status: 'pending' });
  expect(currentStep(sent)).toEqual({
    step: 'approval',
    txHash: hashOf('aa'),
    confirmations: 0,
    required: 1,
  });
  const swapped = withStatus(across, mined(2), mined(1));
  expect(currentStep(swapped)).toEqual({
    step: 'originSwap',
    txHash: hashOf('bb'),
    confirmations: 1,
    required: 3,
  });
  expect(currentStep({ ...swapped, delivery })).toEqual({
    step: 'bridge',
    txHash: hashOf('dd'),
    confirmations: 1,
    required: 2,
  });
  expect(valid(TransactionUpdate, updateOf({ ...swapped, version: 4 }, 1_012_999))).toMatchObject({
    status: 'submitted',
    step: 'originSwap',
    timestamp: 1_012,
    version: 4,
  });
});

it('shows the status of final sets', () => {
  const ended = { ...withStatus(across, mined(4), mined(3)), state: 'confirming' as const };
  const completed = { ...transition({ ...ended, delivery }, 'completed'), endedAtMs: 1_024_000 };
  expect(valid(TransactionStatus, statusView(completed))).toMatchObject({
    status: 'completed',
    result: { success: true, finalAmountOut: '97', actualGasUsed: '80000', totalGasCostUsd: '0.10' },
    failure: null,
    createdAt: 1_000,
    completedAt: 1_024,
    totalTime: 24,
  });
  const unpriced = statusView({ ...completed, gasCostUsd: null });
  expect(valid(TransactionStatus, unpriced)).toMatchObject({ result: { totalGasCostUsd: '' } });
  const failure = { step: 'originSwap' as const, txHash: hashOf('bb'), reason: 'Too little received' };
  expect(valid(TransactionStatus, statusView(failed(ended, failure, 1_020_000)))).toMatchObject({
    status: 'failed',
    result: { success: false, finalAmountOut: '0' },
    failure: {
      code: 'TRANSACTION_FAILED',
      message: 'The step originSwap failed: Too little received.',
      details: { ...failure, gasUsed: '80000' },
    },
  });
  expect(shape(failed(ended, failure, 1))).toContain('originSwap failed');
  const expired = { ...transition(aTransactionSet(), 'expired'), endedAtMs: 2_000_000, executedAtMs: null };
  expect(statusView(expired)).toMatchObject({
    result: null,
    failure: { code: 'DEADLINE_EXCEEDED', details: null },
    createdAt: 1_000,
    completedAt: 2_000,
    totalTime: 1_000,
  });
  const uneven = { ...completed, createdAtMs: 1_000_900, endedAtMs: 1_024_100 };
  const { createdAt, completedAt, totalTime } = statusView(uneven);
  expect(totalTime).toBe(completedAt! - createdAt);
});

it('shows open sets without a result, and details on request', () => {
  expect(statusView(across)).toMatchObject({
    result: null,
    failure: null,
    completedAt: null,
    totalTime: null,
  });
  const details = detailsView(withStatus(across, { status: 'pending' }), 2_000, 1_011_000);
  expect(details).toMatchObject({
    inputAmount: '100',
    outputAmount: '99',
    minOutputAmount: '98',
    validUntil: 2_000,
    provider: 'test',
    built: [{ type: 'approval' }, { type: 'swap' }],
    sent: [{ status: 'pending' }, { status: 'waiting' }],
  });
  const unsigned = aTransactionSet({ transactions: [approval, aSetTransaction()] });
  expect(detailsView(unsigned, 2_000, 1).sent).toEqual([]);
});
