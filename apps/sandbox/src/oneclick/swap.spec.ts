import { Assets } from './assets';
import { coldForMs, type Outcome } from './magic-amounts';
import { nextMove, type Market, type Swap } from './swap';
import type { SwapStatus } from './wire';

const assets = new Assets([]);
const nowMs = Date.UTC(2026, 10, 20);
const usdc = { decimals: 6, usd: '1' };
const market: Market = {
  nowMs,
  solverAddress: 'solver',
  termsOf: () => ({ from: usdc, to: usdc, appFeeBps: 0, withdrawFeeAtomic: 0n }),
};
// 1,000 and 0.1 % for the market makers.
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

/** The move in short: its status, and who gets how much for what. */
function moved(changes: Partial<Swap>): unknown {
  const move = nextMove(swap(changes), market);
  if (move?.kind !== 'plan') return move?.status;
  const tidying = ['gas', 'sweep'];
  const payments = move.payments.filter(({ purpose }) => !tidying.includes(purpose));
  return [
    move.status,
    ...payments.map(({ purpose, recipient, amountAtomic }) => `${purpose} ${recipient} ${amountAtomic}`),
    ...(move.refundReason ? [move.refundReason] : []),
  ];
}

const waiting: SwapStatus[] = ['PENDING_DEPOSIT', 'KNOWN_DEPOSIT_TX', 'INCOMPLETE_DEPOSIT'];
const ended: SwapStatus[] = ['SUCCESS', 'REFUNDED', 'FAILED'];

describe.each(waiting)('from %s', (status) => {
  const unless = (expected: SwapStatus) => (expected === status ? undefined : expected);

  it.each<[string, Partial<Swap>, SwapStatus]>([
    ['nothing', {}, 'PENDING_DEPOSIT'],
    ['a submitted hash', { submittedTx: 'hash' }, 'KNOWN_DEPOSIT_TX'],
    ['a deposit that is not deep', { seenAtomic: 5n, seenAtMs: nowMs }, 'KNOWN_DEPOSIT_TX'],
    ['too little', deposited(least - 1n), 'INCOMPLETE_DEPOSIT'],
    ['too little, at a cold address', { ...deposited(5n), outcome: 'coldAddress' }, 'PENDING_DEPOSIT'],
    ['nothing at the deadline', { deadlineMs: nowMs }, 'PENDING_DEPOSIT'],
  ])('%s', (_name, changes, expected) => {
    expect(moved({ status, ...changes })).toBe(unless(expected));
  });

  it.each<[string, Partial<Swap>, unknown[]]>([
    ['just enough', deposited(least), ['PROCESSING', 'delivery recipient 1000']],
    ['more', deposited(buffered), ['PROCESSING', 'delivery recipient 1000', 'surplus payer 49']],
    [
      'too little at the deadline',
      { ...deposited(9n), deadlineMs: nowMs },
      [status, 'refund payer 6', 'PARTIAL_DEPOSIT'],
    ],
    ['enough after it', { ...deposited(least), deadlineMs: nowMs }, [status, 'refund payer 998', 'UNKNOWN']],
    [
      'less than its refund costs',
      { ...deposited(3n), deadlineMs: nowMs },
      ['FAILED', 'AMOUNT_LESS_THAN_MIN_WITHDRAWABLE'],
    ],
    [
      'enough at a cold address, later',
      { ...deposited(least), seenAtMs: nowMs - coldForMs, outcome: 'coldAddress' },
      ['PROCESSING', 'delivery recipient 1000'],
    ],
  ])('%s', (_name, changes, expected) => {
    expect(moved({ status, ...changes })).toEqual(expected);
  });

  it.each<[Outcome, unknown[]]>([
    ['failsAfterDeposit', [status, 'refund payer 998', 'NO_LIQUIDITY']],
    ['partialFill', ['PROCESSING', 'delivery recipient 700', 'surplus payer 300']],
    ['falseSettlement', ['PROCESSING', 'delivery solver 1000']],
    ['failed', ['FAILED']],
  ])('the outcome %s', (outcome, expected) => {
    expect(moved({ status, outcome, ...deposited(least) })).toEqual(expected);
  });

  it('waits for payments that were planned', () => {
    expect(moved({ status, ...deposited(least), handledAtomic: 5n })).toBeUndefined();
  });
});

it('PROCESSING waits for its payments, whatever comes', () => {
  const status = 'PROCESSING';
  expect(moved({ status, ...deposited(5_000n), handledAtomic: least, deadlineMs: nowMs })).toBeUndefined();
});

describe.each(ended)('after %s', (status) => {
  it('nothing more happens', () => {
    expect(moved({ status, ...deposited(least), handledAtomic: least })).toBeUndefined();
  });

  it('what comes late goes back, less what that costs', () => {
    expect(moved({ status, ...deposited(least + 10n), handledAtomic: least })).toEqual([
      status,
      'late-refund payer 7',
    ]);
  });
});

it('a price that moved beyond the deposit refunds it', () => {
  const dearer = {
    ...market,
    termsOf: () => ({ ...market.termsOf(swap()), to: { decimals: 6, usd: '1.06' } }),
  };
  expect(nextMove(swap(deposited(buffered)), dearer)).toMatchObject({
    refundReason: 'AMOUNT_LESS_THAN_MIN_AMOUNT_OUT',
  });
});

it('a deposit of a token is swept with coins for the transfer, one of coins by itself, one in the ledger not', () => {
  const purposes = (changes: Partial<Swap>) => {
    const move = nextMove(swap({ ...deposited(least), ...changes }), market);
    return move?.kind === 'plan' ? move.payments.map(({ purpose }) => purpose) : [];
  };
  expect(purposes({})).toEqual(['delivery', 'gas', 'sweep']);
  expect(purposes({ origin: assets.on('eip155:8453', 'ETH') })).toEqual(['delivery', 'sweep']);
  expect(purposes({ depositKey: null })).toEqual(['delivery']);
});
