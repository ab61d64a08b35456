import { randomBytes } from 'node:crypto';
import { flags } from '@tollbridge/nanopay-protocol';
import {
  captureOf,
  charge,
  hold,
  keylessCall,
  ledgerWith,
  decided,
  rejected,
  startMs,
  sums,
  sumsOf,
} from '../testing/ledger-fixtures';
import type { Ledger } from './ledger';

const commit = (ledger: Ledger): void => {
  for (const payment of ledger.takeBatch()!.payments) ledger.written(payment);
};

describe('Ledger after a commit', () => {
  it('marks the payment as stored', () => {
    const ledger = ledgerWith(200n);
    const payment = decided(ledger, charge());
    expect(payment.isStored).toBe(false);
    commit(ledger);
    expect(payment.isStored).toBe(true);
  });

  it('replays a finished payment for the same call from the database', () => {
    const ledger = ledgerWith(200n);
    const checked = charge();
    decided(ledger, checked);
    commit(ledger);
    expect(ledger.apply(checked, startMs)).toEqual({
      kind: 'repeat',
      confirmationId: checked.confirmationId,
    });
    expect(ledger.hasChanges).toBe(false);
  });

  it('rejects other calls of a finished payment', () => {
    const ledger = ledgerWith(200n);
    const checked = charge();
    decided(ledger, checked);
    commit(ledger);
    expect(ledger.apply(captureOf(checked, 100n), startMs)).toEqual(rejected('duplicate_settlement'));
    expect(ledger.apply(captureOf(checked, 0n), startMs)).toEqual(rejected('invalid_transaction_state'));
    expect(sumsOf(ledger)).toEqual(sums({ available: 100n, spent: 100n, earned: 100n }));
  });

  it('captures a stored hold', () => {
    const ledger = ledgerWith(200n);
    const checked = hold();
    const payment = decided(ledger, checked);
    commit(ledger);
    expect(decided(ledger, captureOf(checked, 60n))).toBe(payment);
    expect(sumsOf(ledger)).toEqual(sums({ available: 140n, spent: 60n, earned: 60n }));
  });

  it('does not release a hold with a row that was read before its charge', () => {
    const ledger = ledgerWith(200n);
    const [first, second] = [hold(), hold()];
    const read = { ...decided(ledger, first) };
    decided(ledger, second);
    decided(ledger, { ...first, kind: 'charge' });
    expect(() => ledger.void(read, first.callKey, startMs)).toThrow('the hold to release is not open');
    expect(sumsOf(ledger)).toEqual(sums({ reserved: 100n, spent: 100n, earned: 100n }));
  });

  it('repeats the outcome of a charge while only its hold is stored', () => {
    const ledger = ledgerWith(200n);
    const checked = hold();
    const payment = decided(ledger, checked);
    ledger.takeBatch();
    const capture = captureOf(checked, 100n);
    decided(ledger, capture);
    // The stored row is still a hold. Compared with that row, the charge would be rejected as a copy.
    ledger.written(payment);
    expect(ledger.apply(capture, startMs)).toEqual({ kind: 'done', payment });
    ledger.takeBatch();
    ledger.written(payment);
    expect(ledger.apply(capture, startMs).kind).toBe('repeat');
  });

  it('replays the charge of a hold that expired during the signature check', () => {
    const ledger = ledgerWith(200n);
    const checked = hold({ validBeforeS: 1_800_000_059n });
    const payment = decided(ledger, checked);
    const laterMs = startMs + 66_000;
    payment.holdUntilMs = laterMs + 1;
    ledger.sweep(laterMs);
    const capture = captureOf(checked, 100n);
    // The payment is already stored. Inserting it again would fail the commit of the whole batch.
    expect(decided(ledger, capture, laterMs)).toBe(payment);
    expect(sumsOf(ledger)).toEqual(sums({ available: 100n, spent: 100n, earned: 100n }));
  });
});

describe('a charge of a call without a key', () => {
  const bound = (changes: Parameters<typeof charge>[0] = {}) =>
    charge({ flags: flags.resourceBound, callKey: keylessCall(), ...changes });
  const claimable = ({ confirmationId }: ReturnType<typeof charge>) => ({
    kind: 'repeat',
    confirmationId,
  });

  it.each([
    ['before its commit', () => undefined],
    ['after its commit', commit],
  ])('accepts the claim of an equal call with a key %s', (_, settle) => {
    const ledger = ledgerWith(200n);
    const checked = bound();
    decided(ledger, checked);
    settle(ledger);
    expect(ledger.apply(captureOf(checked, 100n), startMs)).toEqual(claimable(checked));
    expect(sumsOf(ledger)).toEqual(sums({ available: 100n, spent: 100n, earned: 100n }));
  });

  it('rejects another call without a key, and a hold, as duplicates', () => {
    const ledger = ledgerWith(200n);
    const checked = bound();
    decided(ledger, checked);
    commit(ledger);
    for (const changes of [{ callKey: keylessCall() }, { callKey: randomBytes(16), kind: 'hold' as const }])
      expect(ledger.apply({ ...checked, ...changes }, startMs)).toEqual(rejected('duplicate_settlement'));
  });

  it('rejects other terms or another amount with its nonce as duplicates', () => {
    const ledger = ledgerWith(200n);
    const checked = bound({ flags: flags.resourceBound | flags.upTo, chargeAtomic: 40n });
    decided(ledger, checked);
    expect(ledger.apply(captureOf(checked, 100n), startMs)).toEqual(rejected('duplicate_settlement'));
    const other = { digest: randomBytes(32), confirmationId: randomBytes(16), callKey: randomBytes(16) };
    expect(ledger.apply({ ...checked, ...other }, startMs)).toEqual(rejected('duplicate_settlement'));
    commit(ledger);
    expect(ledger.apply({ ...checked, ...other }, startMs)).toEqual(rejected('duplicate_settlement'));
  });

  it('stays a duplicate for a payment without a resource', () => {
    const ledger = ledgerWith(200n);
    const checked = bound({ flags: 0 });
    decided(ledger, checked);
    expect(ledger.apply(captureOf(checked, 100n), startMs)).toEqual(rejected('duplicate_settlement'));
    commit(ledger);
    expect(ledger.apply(captureOf(checked, 100n), startMs)).toEqual(rejected('duplicate_settlement'));
  });

  it('belongs to the call that claims it', () => {
    const ledger = ledgerWith(200n);
    const checked = bound();
    const payment = decided(ledger, checked);
    commit(ledger);
    const claim = captureOf(checked, 100n);
    ledger.claim({ ...payment, callKey: claim.callKey });
    const { confirmationId, validBeforeS } = payment;
    expect(ledger.takeBatch()).toMatchObject({
      payments: new Set(),
      records: [{ kind: 'claim', confirmationId, validBeforeS, callKey: claim.callKey }],
    });
    expect(ledger.apply(claim, startMs)).toEqual({ kind: 'repeat', confirmationId });
    for (const other of [checked, captureOf(checked, 100n)])
      expect(ledger.apply(other, startMs)).toEqual(rejected('duplicate_settlement'));
  });

  it('accepts a claim after a restart', () => {
    const checked = bound();
    const payment = decided(ledgerWith(200n), checked);
    const restored = ledgerWith(0n);
    restored.restore({ ...payment, receipt: undefined });
    expect(restored.apply(captureOf(checked, 100n), startMs)).toEqual(claimable(checked));
  });
});

describe('Ledger.restore', () => {
  it('loads only the call of a finished payment', () => {
    const ledger = ledgerWith(200n);
    const checked = charge();
    const payment = decided(ledger, checked);
    const restored = ledgerWith(0n);
    restored.restore({ ...payment, receipt: undefined });
    // Its receipt is only in the database, so a repeated call is replayed from there.
    expect(restored.apply(checked, startMs)).toEqual({
      kind: 'repeat',
      confirmationId: checked.confirmationId,
    });
    expect(restored.apply({ ...checked, callKey: randomBytes(16) }, startMs)).toEqual(
      rejected('duplicate_settlement'),
    );
    expect(restored.findHeld(checked.confirmationId)).toBeUndefined();
    expect(restored.heldAccounts()).toEqual([]);
  });

  it('loads an open hold that can be captured', () => {
    const ledger = ledgerWith(200n);
    const checked = hold();
    const stored = { ...decided(ledger, checked), isStored: true };
    const restored = ledgerWith(200n);
    const account = restored.account(checked.payer);
    [account.available, account.reserved] = [100n, 100n];
    restored.restore(stored);
    expect(restored.hasChanges).toBe(false);
    expect(restored.findHeld(checked.confirmationId)).toBe(stored);
    expect(decided(restored, captureOf(checked, 30n))).toBe(stored);
    expect(sumsOf(restored)).toEqual(sums({ available: 170n, spent: 30n, earned: 30n }));
  });
});
