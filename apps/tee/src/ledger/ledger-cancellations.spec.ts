import { randomBytes } from 'node:crypto';
import {
  charge,
  fund,
  hold,
  ledgerWith,
  payer,
  decided,
  rejected,
  session,
  startMs,
  sums,
  sumsOf,
} from '../testing/ledger-fixtures';
import type { Ledger } from './ledger';

const nowMs = startMs + 1_000;

describe('Ledger.cancel', () => {
  let ledger: Ledger;
  beforeEach(() => {
    ledger = ledgerWith(1_000n);
  });

  const cancel = (nonce: Buffer, of = payer): void => ledger.cancel(ledger.account(of), nonce, nowMs);

  it('rejects every later payment with this nonce', () => {
    const checked = charge();
    cancel(checked.nonce);
    expect(ledger.apply(checked, nowMs)).toEqual(rejected('payment_cancelled'));
    expect(ledger.apply(charge(), nowMs).kind).toBe('done');
  });

  it('records the cancellation and writes the account', () => {
    const nonce = randomBytes(32);
    cancel(nonce);
    expect(ledger.account(payer).updatedMs).toBe(nowMs);
    expect(ledger.takeBatch()).toMatchObject({
      payments: new Set(),
      accounts: new Set([ledger.account(payer)]),
      records: [{ kind: 'cancellation', account: payer, nonce, atMs: nowMs }],
    });
  });

  it('adds to the earlier cancellations', () => {
    const [first, second] = [charge(), charge()];
    cancel(first.nonce);
    cancel(second.nonce);
    for (const checked of [first, second])
      expect(ledger.apply(checked, nowMs)).toEqual(rejected('payment_cancelled'));
  });

  it('releases only the hold with this nonce', () => {
    const [checked, other] = [hold(), hold({ chargeAtomic: 30n })];
    const payment = decided(ledger, checked);
    const left = decided(ledger, other);
    ledger.takeBatch();
    cancel(checked.nonce);
    expect(payment.state).toBe('voided');
    expect(ledger.findHeld(checked.confirmationId)).toBeUndefined();
    expect(left.state).toBe('held');
    expect(ledger.findHeld(other.confirmationId)).toBe(left);
    expect(sumsOf(ledger)).toEqual(sums({ available: 970n, reserved: 30n }));
    expect(ledger.takeBatch()!.payments).toEqual(new Set([payment]));
    // The nonce is dropped from memory, so the payment is rejected as cancelled instead of as a copy.
    expect(ledger.apply(checked, nowMs)).toEqual(rejected('payment_cancelled'));
    expect(ledger.nonces.size).toBe(1);
  });

  it('does not change a captured payment', () => {
    const checked = charge();
    const payment = decided(ledger, checked);
    cancel(checked.nonce);
    expect(payment.state).toBe('captured');
    expect(sumsOf(ledger)).toEqual(sums({ available: 900n, spent: 100n, earned: 100n }));
  });

  it('does not release a hold of another payer with the same nonce', () => {
    const other = 'o'.repeat(32);
    ledger.bring(other, undefined, startMs);
    fund(ledger, other, 100n);
    const checked = hold();
    const payment = decided(ledger, { ...checked, payer: other });
    cancel(checked.nonce);
    expect(payment.state).toBe('held');
    expect(ledger.account(other)).toMatchObject({ available: 0n, reserved: 100n });
    expect(sumsOf(ledger)).toEqual(sums({ available: 1_000n }));
  });

  it('releases the holds under the grant with this nonce', () => {
    const [grant, otherGrant] = [session(), session({ key: 'x'.repeat(32) })];
    for (const each of [grant, otherGrant]) ledger.bringSession(each);
    const under = [hold({ session: grant }), hold({ session: grant, chargeAtomic: 50n })].map((checked) =>
      decided(ledger, checked),
    );
    const others = [hold({ session: otherGrant, chargeAtomic: 20n }), hold({ chargeAtomic: 10n })].map(
      (checked) => decided(ledger, checked),
    );
    cancel(grant.nonce);
    expect(under.map(({ state }) => state)).toEqual(['voided', 'voided']);
    expect(others.map(({ state }) => state)).toEqual(['held', 'held']);
    expect(ledger.sessions.get(grant.key)!.spentAtomic).toBe(0n);
    expect(ledger.sessions.get(otherGrant.key)!.spentAtomic).toBe(20n);
    expect(sumsOf(ledger)).toEqual(sums({ available: 970n, reserved: 30n }));
    expect(ledger.apply(charge({ session: grant }), nowMs)).toEqual(rejected('payment_cancelled'));
    expect(ledger.apply(charge({ session: otherGrant }), nowMs).kind).toBe('done');
  });
});
