import { randomBytes } from 'node:crypto';
import { genesisHead, nextHead, receiptDigest } from '@tollbridge/nanopay-protocol';
import {
  captureOf,
  charge,
  hold,
  ledgerWith,
  payer,
  decided,
  rejected,
  seller,
  startMs,
  sums,
  sumsOf,
} from '../testing/ledger-fixtures';
import type { Ledger } from './ledger';
import type { CheckedPayment, Payment } from './rules/payment';

describe('Ledger', () => {
  describe('charging without a hold', () => {
    it('charges the whole available balance', () => {
      const ledger = ledgerWith(100n);
      const checked = charge();
      expect(ledger.apply(checked, startMs)).toEqual({
        kind: 'done',
        payment: expect.objectContaining({
          confirmationId: checked.confirmationId,
          state: 'captured',
          amountAtomic: 100n,
          chargedAtomic: 100n,
          callKey: checked.callKey,
          session: undefined,
          link: undefined,
          isStored: false,
        }),
      });
      expect(sumsOf(ledger)).toEqual(sums({ spent: 100n, earned: 100n }));
      expect(ledger.findHeld(checked.confirmationId)).toBeUndefined();
      expect(ledger.heldAccounts()).toEqual([]);
    });

    it('issues the next receipt of the chain for each charge', () => {
      const ledger = ledgerWith(300n);
      const first = decided(ledger, charge());
      const second = decided(ledger, charge({ chargeAtomic: 60n }), startMs + 1);
      const expected = { amountAtomic: 60n, seq: 2n, unixMs: BigInt(startMs + 1) };
      const previousHead = nextHead(genesisHead, first.receipt!.digest);
      const digest = receiptDigest({ type: 'charge', digest: second.digest, previousHead, ...expected });
      expect(first).toMatchObject({ seq: 1n, unixMs: BigInt(startMs), previousHead: genesisHead });
      expect(second).toMatchObject({
        chargedAtomic: 60n,
        seq: 2n,
        unixMs: BigInt(startMs + 1),
        previousHead,
        receipt: { digest, signature: undefined },
      });
      expect(ledger.position).toEqual({ seq: 2n, head: nextHead(previousHead, digest) });
      expect(sumsOf(ledger)).toEqual(sums({ available: 140n, spent: 160n, earned: 160n }));
    });

    it('changes nothing when it rejects a payment', () => {
      const ledger = ledgerWith(99n);
      const checked = charge();
      expect(ledger.apply(checked, startMs)).toEqual(rejected('insufficient_funds'));
      expect(sumsOf(ledger)).toEqual(sums({ available: 99n }));
      expect(ledger.hasChanges).toBe(false);
      expect(ledger.position).toEqual({ seq: 0n, head: genesisHead });
      expect(ledger.nonces.size).toBe(0);
    });

    it('rejects a charge of zero without a hold', () => {
      const ledger = ledgerWith(100n);
      expect(ledger.apply(charge({ chargeAtomic: 0n }), startMs)).toEqual(
        rejected('invalid_transaction_state'),
      );
      expect(ledger.hasChanges).toBe(false);
    });

    it('rejects another payment with the same nonce', () => {
      const ledger = ledgerWith(300n);
      const checked = charge();
      decided(ledger, checked);
      const copy = charge({ nonce: checked.nonce, callKey: checked.callKey });
      expect(ledger.apply(copy, startMs)).toEqual(rejected('duplicate_settlement'));
      expect(sumsOf(ledger)).toEqual(sums({ available: 200n, spent: 100n, earned: 100n }));
    });

    it('replays the payment for the same call, and charges it once', () => {
      const ledger = ledgerWith(300n);
      const checked = charge();
      const payment = decided(ledger, checked);
      expect(decided(ledger, checked, startMs + 1)).toBe(payment);
      expect(payment).toMatchObject({ state: 'captured', unixMs: BigInt(startMs) });
      expect(ledger.position.seq).toBe(1n);
      expect(sumsOf(ledger)).toEqual(sums({ available: 200n, spent: 100n, earned: 100n }));
    });

    it('rejects the same payment in another call', () => {
      const ledger = ledgerWith(300n);
      const checked = charge();
      decided(ledger, checked);
      const again = { ...checked, callKey: randomBytes(16) };
      expect(ledger.apply(again, startMs)).toEqual(rejected('duplicate_settlement'));
      expect(sumsOf(ledger)).toEqual(sums({ available: 200n, spent: 100n, earned: 100n }));
    });

    it('counts only accepted payments for the rate limit', () => {
      const ledger = ledgerWith(300n, { maxAmountAtomic: 1_000n, rateLimit: 2 });
      ledger.apply(charge({ chargeAtomic: 301n }), startMs);
      const held = hold();
      decided(ledger, held);
      decided(ledger, captureOf(held, 100n), startMs + 1_000);
      decided(ledger, charge(), startMs + 10_000);
      expect(ledger.apply(charge(), startMs + 20_000)).toEqual(rejected('rate_limited', 40));
      expect(ledger.apply(charge(), startMs + 59_999)).toEqual(rejected('rate_limited', 1));
      expect(ledger.apply(charge(), startMs + 60_000).kind).toBe('done');
    });

    it('throws when the payer or the seller is not loaded', () => {
      const ledger = ledgerWith(300n);
      expect(() => ledger.account('x'.repeat(32))).toThrow('account not loaded');
      expect(() => ledger.apply(charge({ payer: 'x'.repeat(32) }), startMs)).toThrow('account not loaded');
      expect(() => ledger.apply(charge({ seller: 'x'.repeat(32) }), startMs)).toThrow('account not loaded');
    });
  });

  describe('with a hold', () => {
    let ledger: Ledger;
    let checked: CheckedPayment;
    let payment: Payment;
    beforeEach(() => {
      ledger = ledgerWith(100n);
      checked = hold();
      payment = decided(ledger, checked);
    });

    const expectHeld = (): void => {
      expect(payment).toMatchObject({ state: 'held', chargedAtomic: 100n, callKey: checked.callKey });
      expect(ledger.findHeld(checked.confirmationId)).toBe(payment);
      expect(sumsOf(ledger)).toEqual(sums({ reserved: 100n }));
      expect(ledger.position.seq).toBe(0n);
    };

    it('reserves the amount without a receipt', () => {
      expectHeld();
      expect(payment).toMatchObject({
        amountAtomic: 100n,
        holdUntilMs: startMs + 30_000,
        seq: 0n,
        receipt: undefined,
      });
      expect(ledger.heldAccounts()).toEqual([payer, seller]);
    });

    it('rejects a payment that needs the reserved amount', () => {
      expect(ledger.apply(charge({ chargeAtomic: 1n }), startMs)).toEqual(rejected('insufficient_funds'));
      expectHeld();
    });

    it('replays the payment for the same hold, and reserves it once', () => {
      expect(decided(ledger, checked)).toBe(payment);
      expectHeld();
    });

    it('rejects the same hold in another call', () => {
      expect(ledger.apply({ ...checked, callKey: randomBytes(16) }, startMs)).toEqual(
        rejected('duplicate_settlement'),
      );
      expectHeld();
    });

    it.each([
      ['hold', {}],
      ['charge', { kind: 'charge' as const }],
      ['release', { chargeAtomic: 0n }],
    ])('rejects a %s with the same nonce and another digest', (_name, changes) => {
      const copy = { ...checked, ...changes, digest: randomBytes(32) };
      expect(ledger.apply(copy, startMs)).toEqual(rejected('duplicate_settlement'));
      expectHeld();
    });

    it('captures the held amount', () => {
      const capture = captureOf(checked, 100n);
      expect(decided(ledger, capture, startMs + 1)).toBe(payment);
      expect(payment).toMatchObject({
        state: 'captured',
        chargedAtomic: 100n,
        callKey: capture.callKey,
        seq: 1n,
        unixMs: BigInt(startMs + 1),
      });
      expect(sumsOf(ledger)).toEqual(sums({ spent: 100n, earned: 100n }));
    });

    it('captures less than is held and releases the remainder', () => {
      decided(ledger, captureOf(checked, 40n), startMs + 1);
      expect(payment).toMatchObject({ state: 'captured', amountAtomic: 100n, chargedAtomic: 40n });
      expect(payment.receipt!.digest).toEqual(
        receiptDigest({
          type: 'charge',
          digest: checked.digest,
          amountAtomic: 40n,
          seq: 1n,
          unixMs: BigInt(startMs + 1),
          previousHead: genesisHead,
        }),
      );
      expect(sumsOf(ledger)).toEqual(sums({ available: 60n, spent: 40n, earned: 40n }));
      expect(ledger.findHeld(checked.confirmationId)).toBeUndefined();
      expect(ledger.heldAccounts()).toEqual([]);
    });

    it('rejects a capture of one unit more than the hold', () => {
      expect(ledger.apply(captureOf(checked, 101n), startMs)).toEqual(
        rejected('invalid_ton_nanopay_amount_mismatch'),
      );
      expectHeld();
    });

    it('captures once: the same call is replayed, and another call is rejected', () => {
      const capture = captureOf(checked, 40n);
      decided(ledger, capture);
      expect(decided(ledger, capture)).toBe(payment);
      expect(ledger.apply(captureOf(checked, 40n), startMs)).toEqual(rejected('duplicate_settlement'));
      expect(ledger.position.seq).toBe(1n);
      expect(sumsOf(ledger)).toEqual(sums({ available: 60n, spent: 40n, earned: 40n }));
    });

    it('releases the hold by a charge of zero', () => {
      const release = captureOf(checked, 0n);
      expect(ledger.apply(release, startMs + 1)).toEqual({ kind: 'done', payment });
      expect(payment).toMatchObject({
        state: 'voided',
        chargedAtomic: 100n,
        callKey: release.callKey,
        receipt: undefined,
      });
      expect(ledger.findHeld(checked.confirmationId)).toBeUndefined();
      expect(sumsOf(ledger)).toEqual(sums({ available: 100n }));
      expect(ledger.account(payer).updatedMs).toBe(startMs + 1);
    });

    it('releases once: the same call is replayed, and other calls are rejected', () => {
      const release = captureOf(checked, 0n);
      decided(ledger, release);
      expect(ledger.apply(release, startMs)).toEqual({ kind: 'done', payment });
      expect(ledger.apply(captureOf(checked, 0n), startMs)).toEqual(rejected('invalid_transaction_state'));
      expect(ledger.apply({ ...release, chargeAtomic: 100n }, startMs)).toEqual(
        rejected('duplicate_settlement'),
      );
      expect(sumsOf(ledger)).toEqual(sums({ available: 100n }));
    });

    it('rejects a charge of zero after the capture, even from the same call', () => {
      const capture = captureOf(checked, 40n);
      decided(ledger, capture);
      expect(ledger.apply({ ...capture, chargeAtomic: 0n }, startMs)).toEqual(
        rejected('invalid_transaction_state'),
      );
      expect(sumsOf(ledger)).toEqual(sums({ available: 60n, spent: 40n, earned: 40n }));
    });

    it('expires the hold exactly at its end', () => {
      ledger.sweep(startMs + 29_999);
      expectHeld();
      ledger.sweep(startMs + 30_000);
      expect(payment).toMatchObject({ state: 'expired', callKey: checked.callKey });
      expect(ledger.findHeld(checked.confirmationId)).toBeUndefined();
      expect(sumsOf(ledger)).toEqual(sums({ available: 100n }));
      ledger.sweep(startMs + 30_001);
      expect(sumsOf(ledger)).toEqual(sums({ available: 100n }));
    });

    it('rejects calls after the hold has expired, even the same call', () => {
      ledger.sweep(startMs + 30_000);
      for (const kind of ['hold', 'charge'] as const)
        expect(ledger.apply({ ...checked, kind }, startMs)).toEqual(rejected('duplicate_settlement'));
      expect(ledger.apply({ ...checked, chargeAtomic: 0n }, startMs)).toEqual(
        rejected('invalid_transaction_state'),
      );
      expect(sumsOf(ledger)).toEqual(sums({ available: 100n }));
    });
  });
});
