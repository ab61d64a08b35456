import fc from 'fast-check';
import { centsOf, dataOf, dollarsOf, isIssued, recordOf, type Card } from './card';

describe('centsOf and dollarsOf', () => {
  it('converts exactly in both directions', () => {
    fc.assert(
      fc.property(fc.integer({ min: 500, max: 100_000 }), (cents) => {
        // Parsed from JSON, because clients send amounts as JSON numbers.
        const amount = JSON.parse(
          `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`,
        ) as number;
        expect(centsOf(amount)).toBe(cents);
        expect(Number(dollarsOf(cents))).toBe(amount);
      }),
    );
  });

  it.each([
    [8.29, 829],
    [1.005e2, 10_050],
    [79.99, 7_999],
    [1_000, 100_000],
  ])('converts %d to %d cents', (amount, cents) => expect(centsOf(amount)).toBe(cents));
});

const card: Card = {
  id: 'c',
  wallet: 'w',
  issuer: 'lithic',
  issuerCardId: 'i',
  amountCents: 2_550,
  state: 'open',
  lastFour: '6789',
  createdAtMs: 0,
};

it('recordOf contains only the last four digits', () => {
  expect(recordOf(card)).toEqual({
    cardId: 'c',
    issuerCardId: 'i',
    wallet: 'w',
    amount: 25.5,
    currency: 'USD',
    status: 'open',
    lastFour: '6789',
    createdAt: '1970-01-01T00:00:00.000Z',
  });
});

it('dataOf contains all four parts of the number, or none', () => {
  const numbers = { number: '4111110123456789', cvv: '123', expMonth: '06', expYear: '2031' };
  expect(dataOf(card, numbers)).toEqual({ ...recordOf(card), ...numbers });
  const none = { number: null, cvv: null, expMonth: null, expYear: null };
  expect(dataOf(card, null)).toEqual({ ...recordOf(card), ...none });
});

it('isIssued is false for a pending card only', () => {
  expect((['pending', 'open', 'paused', 'closed'] as const).map(isIssued)).toEqual([false, true, true, true]);
});
