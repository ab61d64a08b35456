import { newAccount, type Account } from './account';
import { PaymentRates } from './payment-rates';

const nowMs = 1_800_000_000_000;

const limitedTo = (rateLimit: number, key = 'a'.repeat(32)): Account => ({
  ...newAccount(key, nowMs),
  policy: { maxAmountAtomic: 1_000n, rateLimit },
});

function ratesWith(account: Account, ...timesMs: number[]): PaymentRates {
  const rates = new PaymentRates();
  for (const timeMs of timesMs) rates.count(account, timeMs);
  return rates;
}

describe('PaymentRates', () => {
  it('allows the first payment of an account', () => {
    expect(new PaymentRates().waitS(limitedTo(1), nowMs)).toBe(0);
  });

  it('allows payments until the limit is reached', () => {
    const account = limitedTo(2);
    const rates = ratesWith(account, nowMs);
    expect(rates.waitS(account, nowMs)).toBe(0);
    rates.count(account, nowMs);
    expect(rates.waitS(account, nowMs)).toBe(60);
  });

  it.each([
    [10_000, 50],
    [10_001, 50],
    [10_999, 50],
    [11_000, 49],
    [59_000, 1],
    [59_001, 1],
    [59_999, 1],
    [60_000, 0],
    [60_001, 0],
  ])('returns, %i ms after the first of two payments, a wait of %i s', (afterMs, waitS) => {
    const account = limitedTo(2);
    const rates = ratesWith(account, nowMs, nowMs + 10_000);
    expect(rates.waitS(account, nowMs + afterMs)).toBe(waitS);
  });

  it('drops only the payments that are older than a minute', () => {
    const account = limitedTo(2);
    const rates = ratesWith(account, nowMs, nowMs + 1_000, nowMs + 30_000);
    expect(rates.waitS(account, nowMs + 61_000)).toBe(0);
    rates.count(account, nowMs + 61_000);
    // The payments at 30 s and 61 s are left.
    expect(rates.waitS(account, nowMs + 61_000)).toBe(29);
  });

  it('counts all recent payments against a lowered limit', () => {
    const account = limitedTo(3);
    const rates = ratesWith(account, nowMs, nowMs + 1_000, nowMs + 2_000);
    account.policy!.rateLimit = 1;
    expect(rates.waitS(account, nowMs + 7_000)).toBe(55);
    account.policy!.rateLimit = 2;
    expect(rates.waitS(account, nowMs + 7_000)).toBe(54);
  });

  it('returns a wait of a minute under a limit of zero', () => {
    const account = limitedTo(0);
    expect(new PaymentRates().waitS(account, nowMs)).toBe(60);
    expect(ratesWith(account, nowMs - 10_000).waitS(account, nowMs)).toBe(60);
  });

  it('returns a wait of at least a second after the clock was set back', () => {
    const account = limitedTo(1);
    const rates = ratesWith(account, nowMs, nowMs - 50_000);
    expect(rates.waitS(account, nowMs + 20_000)).toBe(1);
  });

  it('neither limits nor counts the payments of an account without a policy', () => {
    const account: Account = { ...limitedTo(1), policy: undefined };
    const rates = ratesWith(account, nowMs, nowMs);
    expect(rates.waitS(account, nowMs)).toBe(0);
    expect(rates.waitS(limitedTo(1), nowMs)).toBe(0);
  });

  it('does not limit an account after its policy was removed', () => {
    const rates = ratesWith(limitedTo(1), nowMs);
    expect(rates.waitS({ ...limitedTo(1), policy: undefined }, nowMs)).toBe(0);
  });

  it('counts each account separately', () => {
    const rates = ratesWith(limitedTo(1), nowMs);
    expect(rates.waitS(limitedTo(1, 'b'.repeat(32)), nowMs)).toBe(0);
    expect(rates.waitS(limitedTo(1), nowMs)).toBe(60);
  });

  it('keeps the payments of the last minute in a sweep', () => {
    const account = limitedTo(1);
    const rates = ratesWith(account, nowMs);
    rates.sweep(nowMs + 59_999);
    expect(rates.waitS(account, nowMs + 59_999)).toBe(1);
  });

  it('drops the payments in a sweep after a minute', () => {
    const account = limitedTo(1);
    const rates = ratesWith(account, nowMs);
    rates.sweep(nowMs + 60_000);
    // With the clock set back, a payment that was not dropped would still count.
    expect(rates.waitS(account, nowMs + 59_999)).toBe(0);
  });
});
