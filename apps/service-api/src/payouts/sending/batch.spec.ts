import fc from 'fast-check';
import { getAddress } from 'ethers';
import type { PayoutPlan } from '../payout';
import { batchesOf, linesOf, maxBatchRecipients, recipientStatus, stateAfter, type Batch } from './batch';

function planOf(amounts: readonly bigint[], feeAtomic: bigint): PayoutPlan {
  const lines = amounts.map((amountAtomic, at) => ({
    address: getAddress(`0x${(at + 1).toString(16).padStart(40, '0')}`),
    amountAtomic,
  }));
  return { lines, feeAtomic, totalAtomic: amounts.reduce((sum, amount) => sum + amount, 0n) };
}

describe('batchesOf', () => {
  it('splits recipients in order, with exact totals and fees', () => {
    fc.assert(
      fc.property(
        fc.array(fc.bigInt({ min: 1n, max: 10n ** 30n }), { minLength: 1, maxLength: 400 }),
        fc.bigInt({ min: 1n, max: 10n ** 30n }),
        (amounts, fee) => {
          const plan = planOf(amounts, fee);
          const batches = batchesOf(plan);
          expect(batches.flatMap((batch) => linesOf(plan, batch))).toEqual(plan.lines);
          expect(batches.reduce((sum, { totalAtomic }) => sum + totalAtomic, 0n)).toBe(plan.totalAtomic);
          expect(batches.reduce((sum, { feeAtomic }) => sum + feeAtomic, 0n)).toBe(fee);
          expect(
            batches.every(({ count, feeAtomic }) => count <= maxBatchRecipients && feeAtomic >= 0n),
          ).toBe(true);
        },
      ),
    );
  });

  it('splits a thousand recipients into seven batches', () => {
    const batches = batchesOf(
      planOf(
        Array.from({ length: 1_000 }, () => 5n),
        25n,
      ),
    );
    expect(batches.map(({ count }) => count)).toEqual([150, 150, 150, 150, 150, 150, 100]);
  });
});

describe('stateAfter', () => {
  const paid = { status: 'paid', count: 2, rejectedCount: 0 } as const;
  it.each([
    ['completed', [paid, paid]],
    ['sending', [paid, { ...paid, status: 'sending' }]],
    ['sending', [paid, { ...paid, status: 'ready' }]],
    ['partly_paid', [paid, { ...paid, rejectedCount: 1 }]],
    ['partly_paid', [paid, { ...paid, status: 'failed' }]],
    ['failed', [{ ...paid, rejectedCount: 2 }]],
    ['failed', [{ ...paid, status: 'failed' }]],
  ] as const)('returns %s', (state, batches) => {
    expect(stateAfter(batches)).toBe(state);
  });
});

it('recipientStatus returns the status of the batch, except for a rejected recipient', () => {
  const batch = { status: 'paid', firstPlace: 150, count: 2, rejectedPlaces: [151] } as unknown as Batch;
  expect([150, 151].map((place) => recipientStatus(batch, place))).toEqual(['paid', 'refused']);
  expect(recipientStatus({ ...batch, status: 'ready' }, 150)).toBe('pending');
});
