import type { PurchaseStatus } from '@tollbridge/contracts';
import { atomicOf, priceOf, refundOf, usdOf, verdictOn, walletOf } from './sale';

describe('priceOf', () => {
  it.each([
    // Rounds up to a millionth, so that the operator has no loss.
    ['0.55', 20, '0.66'],
    ['0.000001', 20, '0.020001'],
    ['0', 20, '0.02'],
    ['10.333333', 7, '11.056667'],
    ['5', 0, '5.02'],
  ])('adds the margin to %s dollars with %d percent: %s', (cost, percent, price) => {
    const { costMicros, priceMicros } = priceOf(cost, { percent, minMicros: 20_000n });
    expect([usdOf(costMicros), usdOf(priceMicros)]).toEqual([cost, price]);
  });
});

it('atomicOf converts dollars to tokens of 6 and 18 decimals', () => {
  expect([atomicOf(660_000n, 6), atomicOf(660_000n, 18)]).toEqual([660_000n, 660_000_000_000_000_000n]);
});

describe('verdictOn', () => {
  const settledAtMs = 1_000_000;
  it.each<[PurchaseStatus | undefined, number, string]>([
    [undefined, 599_999, 'open'],
    [undefined, 600_000, 'not bought'],
    ['buying', 10_000_000, 'open'],
    ['unknown', 10_000_000, 'open'],
    ['pending', 10_000_000, 'open'],
    ['completed', 0, 'bought'],
    ['refused', 0, 'not bought'],
    ['failed', 0, 'returned'],
    ['refunded', 0, 'returned'],
  ])('returns for a purchase that is %s after %d ms: %s', (status, afterMs, verdict) => {
    const sale = { settledAtMs, leaseUntilMs: null };
    expect(verdictOn(status, sale, settledAtMs + afterMs)).toBe(verdict);
  });
});

it('verdictOn leaves a sale open while its response is executed', () => {
  const sale = { settledAtMs: 0, leaseUntilMs: 700_000 };
  expect([699_999, 700_000].map((nowMs) => verdictOn(undefined, sale, nowMs))).toEqual([
    'open',
    'not bought',
  ]);
});

describe('refundOf', () => {
  const sale = { amountAtomic: 660_000n, costAtomic: 550_000n };
  it.each([
    ['not bought', 'exact', 660_000n],
    ['returned', 'exact', 550_000n],
    ['not bought', 'ton-nanopay', 660_000n],
    ['returned', 'ton-nanopay', 660_000n],
  ] as const)('returns for the verdict "%s" and the scheme %s: %d', (verdict, scheme, amount) => {
    expect(refundOf(verdict, { ...sale, scheme })).toBe(amount);
  });
});

it('walletOf returns the checksum spelling that wallets of merchants have', () => {
  const payer = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';
  expect(walletOf({ payer })).toBe('0x70997970C51812dc3A010C7d01b50e0d17dc79C8');
  expect(walletOf({ payer: '0:ab' })).toBe('0:ab');
});
