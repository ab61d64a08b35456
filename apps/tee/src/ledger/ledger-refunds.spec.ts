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

const nowMs = startMs + 1_000;

describe('Ledger.void', () => {
  let ledger: Ledger;
  beforeEach(() => {
    ledger = ledgerWith(200n);
  });

  function applied(checked: CheckedPayment): Payment {
    const payment = decided(ledger, checked);
    ledger.takeBatch();
    return payment;
  }

  it('refunds a charge with a separate receipt', () => {
    const payment = applied(charge());
    const chargeReceipt = payment.receipt!;
    const terms = {
      seq: 2n,
      unixMs: BigInt(nowMs),
      previousHead: nextHead(genesisHead, chargeReceipt.digest),
    };
    const digest = receiptDigest({ type: 'refund', digest: payment.digest, amountAtomic: 100n, ...terms });
    const refund = { payment, ...terms, receipt: { digest, signature: undefined } };
    expect(ledger.void(payment, payment.callKey, nowMs)).toStrictEqual({ kind: 'done', payment, refund });
    expect(payment).toMatchObject({ state: 'voided', chargedAtomic: 100n, seq: 1n });
    expect(payment.receipt).toBe(chargeReceipt);
    expect(sumsOf(ledger)).toEqual(sums({ available: 200n }));
    expect(ledger.takeBatch()).toEqual({
      payments: new Set([payment]),
      refunds: [refund],
      accounts: new Set([ledger.account(payer), ledger.account(seller)]),
      approvals: new Set(),
      sessions: new Set(),
      channels: new Set(),
      records: [],
      seq: 2n,
      head: nextHead(terms.previousHead, digest),
    });
    for (const key of [payer, seller]) expect(ledger.account(key).updatedMs).toBe(nowMs);
  });

  it('refunds only the captured part of a hold', () => {
    const checked = hold();
    applied(checked);
    const payment = applied(captureOf(checked, 40n));
    applied(charge());
    expect(ledger.void(payment, payment.callKey, nowMs).kind).toBe('done');
    expect(sumsOf(ledger)).toEqual(sums({ available: 100n, spent: 100n, earned: 100n }));
  });

  it('refunds once', () => {
    const payment = applied(charge());
    ledger.void(payment, payment.callKey, nowMs);
    expect(ledger.void(payment, payment.callKey, nowMs)).toEqual(rejected('invalid_transaction_state'));
    expect(sumsOf(ledger)).toEqual(sums({ available: 200n }));
    expect(ledger.position.seq).toBe(2n);
  });

  it('rejects a call key that differs from that of the charge', () => {
    const payment = applied(charge());
    expect(ledger.void(payment, randomBytes(16), nowMs)).toEqual(rejected('invalid_transaction_state'));
    expect(payment.state).toBe('captured');
    expect(ledger.hasChanges).toBe(false);
    expect(sumsOf(ledger)).toEqual(sums({ available: 100n, spent: 100n, earned: 100n }));
  });

  it('refunds a charge when the unpaid earnings are exactly its amount', () => {
    const payment = applied(charge());
    Object.assign(ledger.account(seller), { earned: 150n, settled: 30n, settling: 20n });
    expect(ledger.void(payment, payment.callKey, nowMs).kind).toBe('done');
    expect(ledger.account(seller)).toMatchObject({ earned: 50n, settled: 30n, settling: 20n });
  });

  it('rejects a refund when one unit of its amount is part of a payout', () => {
    const payment = applied(charge());
    ledger.account(seller).settling = 1n;
    expect(ledger.void(payment, payment.callKey, nowMs)).toEqual(rejected('payment_paid_out'));
    expect(payment.state).toBe('captured');
    expect(ledger.hasChanges).toBe(false);
    expect(sumsOf(ledger)).toEqual(sums({ available: 100n, spent: 100n, earned: 100n }));
  });

  it('releases a hold without a receipt', () => {
    const checked = hold();
    const payment = applied(checked);
    expect(ledger.void(payment, checked.callKey, nowMs)).toStrictEqual({ kind: 'done', payment });
    expect(payment).toMatchObject({ state: 'voided', chargedAtomic: 100n, receipt: undefined });
    expect(ledger.findHeld(checked.confirmationId)).toBeUndefined();
    expect(sumsOf(ledger)).toEqual(sums({ available: 200n }));
    expect(ledger.takeBatch()).toMatchObject({
      payments: new Set([payment]),
      refunds: [],
      accounts: new Set([ledger.account(payer)]),
      seq: 0n,
    });
  });

  it('does not release a hold for another call key', () => {
    const checked = hold();
    const payment = applied(checked);
    expect(ledger.void(payment, randomBytes(16), nowMs)).toEqual(rejected('invalid_transaction_state'));
    expect(ledger.findHeld(checked.confirmationId)).toBe(payment);
    expect(sumsOf(ledger)).toEqual(sums({ available: 100n, reserved: 100n }));
  });

  it('does not release an expired hold again', () => {
    const payment = applied(hold());
    ledger.sweep(startMs + 30_000);
    expect(ledger.void(payment, payment.callKey, startMs + 30_000)).toEqual(
      rejected('invalid_transaction_state'),
    );
    expect(sumsOf(ledger)).toEqual(sums({ available: 200n }));
  });
});
