import { Assets } from './assets';
import { coldForMs, type Outcome } from './magic-amounts';
import { nextTransition, type Market, type Swap } from './swap';
import type { SwapStatus } from './wire';

const assets = new Assets([]);
const nowMs = Date.UTC(2026, 10, 20);
const usdc = { decimals: 6, usd: '1' };
const market: Market = {
  nowMs,
  solverAddress: 'solver',
  termsOf: () => ({ from: usdc, to: usdc, appFeeBps: 0, withdrawFeeAtomic: 0n }),
};
// 1,000 plus 0.1 % for the market makers; then with 5 % slippage.
const [least, buffered] = [1_001n, 1_050n];

function swap(changes: Partial<Swap> = {}): Swap {
  const quote = { amountIn: String(buffered), minAmountIn: String(least), amountOut: '1000', refundFee: '3' };
  const quoteRequest = { swapType: 'EXACT_OUTPUT', recipient: 'recipient', refundTo: 'payer' };
  return {
    id: 'id',
    depositAddress: 'deposit address',
    depositMemo: '',
    depositKey: '0x01',
    origin: assets.on('eip155:8453', 'USDC'),
    destination: assets.on('eip155:42161', 'USDC'),
    response: { quote, quoteRequest } as never,
    outcome: 'normal',
    status: 'PENDING_DEPOSIT',
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
    deadlineMs: nowMs + 1,
    fromHeight: 0,
    submittedTx: null,
    seenAtMs: null,
    seenAtomic: 0n,
    depositedAtomic: 0n,
    handledAtomic: 0n,
    amountInAtomic: null,
    amountOutAtomic: null,
    refundReason: null,
    ...changes,
  };
}

const deposited = (amount: bigint): Partial<Swap> => ({
  seenAtomic: amount,
  depositedAtomic: amount,
  seenAtMs: nowMs,
});

/** Returns the status and the payments of a transition in short form. */
function transitionOf(changes: Partial<Swap>): unknown {
  const transition = nextTransition(swap(changes), market);
  if (transition?.kind !== 'plan') return transition?.status;
  const housekeeping = ['gas', 'sweep'];
  const payments = transition.payments.filter(({ purpose }) => !housekeeping.includes(purpose));
  return [
    transition.status,
    ...payments.map(({ purpose, recipient, amountAtomic }) => `${purpose} ${recipient} ${amountAtomic}`),
    ...(transition.refundReason ? [transition.refundReason] : []),
  ];
}

const waiting: SwapStatus[] = ['PENDING_DEPOSIT', 'KNOWN_DEPOSIT_TX', 'INCOMPLETE_DEPOSIT'];
const ended: SwapStatus[] = ['SUCCESS', 'REFUNDED', 'FAILED'];

describe.each(waiting)('transition from %s', (status) => {
  const unless = (expected: SwapStatus) => (expected === status ? undefined : expected);

  it.each<[string, Partial<Swap>, SwapStatus]>([
    ['nothing', {}, 'PENDING_DEPOSIT'],
    ['a submitted hash', { submittedTx: 'hash' }, 'KNOWN_DEPOSIT_TX'],
    ['a deposit without enough confirmations', { seenAtomic: 5n, seenAtMs: nowMs }, 'KNOWN_DEPOSIT_TX'],
    ['an insufficient deposit', deposited(least - 1n), 'INCOMPLETE_DEPOSIT'],
    [
      'an insufficient deposit at an inactive address',
      { ...deposited(5n), outcome: 'coldAddress' },
      'PENDING_DEPOSIT',
    ],
    ['no deposit at the deadline', { deadlineMs: nowMs }, 'PENDING_DEPOSIT'],
  ])('chooses the next status for %s', (_name, changes, expected) => {
    expect(transitionOf({ status, ...changes })).toBe(unless(expected));
  });

  it.each<[string, Partial<Swap>, unknown[]]>([
    ['exactly enough', deposited(least), ['PROCESSING', 'delivery recipient 1000']],
    ['more', deposited(buffered), ['PROCESSING', 'delivery recipient 1000', 'surplus payer 49']],
    [
      'an insufficient deposit at the deadline',
      { ...deposited(9n), deadlineMs: nowMs },
      [status, 'refund payer 6', 'PARTIAL_DEPOSIT'],
    ],
    [
      'a sufficient deposit after the deadline',
      { ...deposited(least), deadlineMs: nowMs },
      [status, 'refund payer 998', 'UNKNOWN'],
    ],
    [
      'a deposit below the cost of its refund',
      { ...deposited(3n), deadlineMs: nowMs },
      ['FAILED', 'AMOUNT_LESS_THAN_MIN_WITHDRAWABLE'],
    ],
    [
      'a sufficient deposit at an inactive address, later',
      { ...deposited(least), seenAtMs: nowMs - coldForMs, outcome: 'coldAddress' },
      ['PROCESSING', 'delivery recipient 1000'],
    ],
  ])('plans payments for %s', (_name, changes, expected) => {
    expect(transitionOf({ status, ...changes })).toEqual(expected);
  });

  it.each<[Outcome, unknown[]]>([
    ['failsAfterDeposit', [status, 'refund payer 998', 'NO_LIQUIDITY']],
    ['partialFill', ['PROCESSING', 'delivery recipient 700', 'surplus payer 300']],
    ['falseSettlement', ['PROCESSING', 'delivery solver 1000']],
    ['failed', ['FAILED']],
  ])('plans the payments of the outcome %s', (outcome, expected) => {
    expect(transitionOf({ status, outcome, ...deposited(least) })).toEqual(expected);
  });

  it('waits for planned payments', () => {
    expect(transitionOf({ status, ...deposited(least), handledAtomic: 5n })).toBeUndefined();
  });
});

it('PROCESSING waits for its payments, and ignores deposits', () => {
  const status = 'PROCESSING';
  expect(
    transitionOf({ status, ...deposited(5_000n), handledAtomic: least, deadlineMs: nowMs }),
  ).toBeUndefined();
});

describe.each(ended)('after %s', (status) => {
  it('plans nothing more without a deposit', () => {
    expect(transitionOf({ status, ...deposited(least), handledAtomic: least })).toBeUndefined();
  });

  it('refunds a late deposit minus the refund cost', () => {
    expect(transitionOf({ status, ...deposited(least + 10n), handledAtomic: least })).toEqual([
      status,
      'late-refund payer 7',
    ]);
  });
});

it('refunds a deposit when the price is beyond it', () => {
  const higherPrice = {
    ...market,
    termsOf: () => ({ ...market.termsOf(swap()), to: { decimals: 6, usd: '1.06' } }),
  };
  expect(nextTransition(swap(deposited(buffered)), higherPrice)).toMatchObject({
    refundReason: 'AMOUNT_LESS_THAN_MIN_AMOUNT_OUT',
  });
});

it('sweeps a token deposit with coins for gas, and a coin deposit directly, but no ledger deposit', () => {
  const purposes = (changes: Partial<Swap>) => {
    const transition = nextTransition(swap({ ...deposited(least), ...changes }), market);
    return transition?.kind === 'plan' ? transition.payments.map(({ purpose }) => purpose) : [];
  };
  expect(purposes({})).toEqual(['delivery', 'gas', 'sweep']);
  expect(purposes({ origin: assets.on('eip155:8453', 'ETH') })).toEqual(['delivery', 'sweep']);
  expect(purposes({ depositKey: null })).toEqual(['delivery']);
});
