import type { Payment, PaymentFields, ReportedTransaction } from '@tollbridge/chain-port';
import { anOrder } from '../orders/testing/order.builder';
import { differences, expectedFields, verifyReport, type Report } from './payment';
import { aPayment } from './testing/payment.builder';

const terms = anOrder();
const stranger = '0x90F79bf6EB2c4f870365E785982E1f101E93b906';

const paymentOf = (changes: Partial<PaymentFields> = {}, of = terms) =>
  aPayment({ fields: { ...expectedFields(of), ...changes } }, of);

describe('differences', () => {
  it('returns nothing for a payment of the order', () => {
    expect(differences(terms, paymentOf())).toEqual([]);
  });

  it.each([
    ['token_in', 'USDT'],
    ['token_in', 'usdc'],
    ['token_out', 'USDT'],
    ['amount_in', '1004999'],
    ['amount_in', '1005001'],
    ['token_in_address', '0x0000000000000000000000000000000000000000'],
    ['merchant', stranger],
    ['merchant_amount', '999999'],
    ['fee_receiver', stranger],
    ['fee_amount', '4999'],
    ['deadline', String(terms.expiresAtMs / 1000 + 1)],
  ] as [keyof PaymentFields, string][])('describes %s when it is %s', (field, value) => {
    const payment = paymentOf({ [field]: value });

    expect(differences(terms, payment)).toEqual([
      `${field} is ${value}, not ${expectedFields(terms)[field]}`,
    ]);
  });
});

describe('verifyReport', () => {
  const sinceMs = Date.UTC(2026, 10, 20, 12, 0);
  const minute = 60_000;
  const mined = (payments: Payment[] = [paymentOf()], paysOtherContract = false): ReportedTransaction => ({
    state: 'succeeded',
    height: 100,
    payments,
    paysOtherContract,
  });
  const failed: ReportedTransaction = { state: 'failed', height: 100 };
  const verdictOn = (changes: Partial<Report>) =>
    verifyReport({
      order: anOrder(),
      transaction: mined(),
      readHeight: 102,
      sinceMs,
      nowMs: sinceMs + 1,
      ...changes,
    });
  const otherOrder = anOrder({ id: '0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6e' });

  describe('for a transaction that is not mined', () => {
    const unmined = (state: 'notFound' | 'pending', waitedMs: number, expiresAtMs = terms.expiresAtMs) =>
      verdictOn({ transaction: { state }, nowMs: sinceMs + waitedMs, order: anOrder({ expiresAtMs }) });

    it('waits 10 minutes for a transaction that no node has', () => {
      expect(unmined('notFound', 10 * minute - 1)).toEqual({ kind: 'wait' });
      expect(unmined('notFound', 10 * minute)).toEqual({
        kind: 'reject',
        reason: 'TX_NOT_FOUND: the reported transaction was not found within 10 minutes',
        mayBeElsewhere: true,
      });
    });

    it('waits for a pending transaction until the deadline of the order', () => {
      expect(unmined('pending', 30 * minute)).toEqual({ kind: 'wait' });
      expect(unmined('pending', 30 * minute + 1)).toEqual({
        kind: 'reject',
        reason: 'TX_NOT_MINED: the reported transaction was not mined before the order expired',
      });
    });

    it('waits 10 minutes for a transaction that is pending after the deadline', () => {
      expect(unmined('pending', 10 * minute - 1, sinceMs)).toEqual({ kind: 'wait' });
      expect(unmined('pending', 10 * minute, sinceMs)).toMatchObject({
        reason: expect.stringMatching(/^TX_NOT_MINED/),
      });
    });
  });

  it.each([
    ['reverted', failed],
    ['pays nothing', mined([])],
    ['pays another amount', mined([paymentOf({ amount_in: '1' })])],
  ])('rejects after the watcher has read the block when the transaction %s', (_name, transaction) => {
    expect(verdictOn({ transaction, readHeight: 99 })).toEqual({ kind: 'wait' });
    expect(verdictOn({ transaction, readHeight: 100 })).toMatchObject({ reason: expect.any(String) });
  });

  it('waits for the watcher to settle a matching payment, however long that takes', () => {
    expect(verdictOn({ nowMs: sinceMs + 60 * minute })).toEqual({ kind: 'wait' });
  });

  it('waits for the watcher when a wrong payment of the order precedes the matching one', () => {
    const payments = [paymentOf({ amount_in: '1' }), aPayment({ logIndex: 1 })];

    expect(verdictOn({ transaction: mined(payments) })).toEqual({ kind: 'wait' });
  });

  it.each([
    ['TX_REVERTED: the reported transaction reverted', 'reverted', failed],
    [
      'PAYMENT_MISMATCH: merchant_amount is 999999, not 1000000',
      'pays one unit less',
      mined([paymentOf({ merchant_amount: '999999' })]),
    ],
    [
      'PAYS_ANOTHER_ORDER: the reported transaction pays another order',
      'pays another order',
      mined([paymentOf({}, otherOrder)]),
    ],
    [
      'OTHER_CONTRACT: the payment was made to a contract that is not the payment contract',
      'pays a contract that imitates the payment contract',
      mined([], true),
    ],
    [
      'NO_PAYMENT: the reported transaction does not call the payment contract',
      'records no payment',
      mined([]),
    ],
  ])('rejects with %s when the transaction %s', (reason, _name, transaction) => {
    expect(verdictOn({ transaction })).toMatchObject({ reason });
  });

  it('describes as many differences as an event can contain, and counts the rest', () => {
    const name = 'x'.repeat(128);
    const everythingElse = paymentOf({
      token_in: name,
      token_out: name,
      amount_in: String(2n ** 256n - 1n),
      token_in_address: stranger,
      merchant: stranger,
      merchant_amount: '1',
      fee_receiver: stranger,
      fee_amount: '1',
      deadline: '1',
    });

    const verdict = verdictOn({ transaction: mined([everythingElse]) }) as { reason: string };

    expect(verdict.reason).toMatch(/^PAYMENT_MISMATCH: token_in is x{80}, not USDC; .*; and \d more$/);
    expect(verdict.reason.length).toBeLessThanOrEqual(256);
  });

  describe('for a payment with three differences', () => {
    const rejectionOf = (merchantLength: number): string => {
      const name = 'x'.repeat(43);
      const payment = paymentOf({ token_in: name, token_out: name, merchant: 'x'.repeat(merchantLength) });
      return (verdictOn({ transaction: mined([payment]) }) as { reason: string }).reason;
    };
    const firstTwo = `PAYMENT_MISMATCH: token_in is ${'x'.repeat(43)}, not USDC; token_out is ${'x'.repeat(43)}, not USDC`;

    it('describes all three in a reason of exactly 256 characters', () => {
      expect(rejectionOf(43)).toBe(
        `${firstTwo}; merchant is ${'x'.repeat(43)}, not ${terms.merchantAddress}`,
      );
      expect(rejectionOf(43)).toHaveLength(256);
    });

    it('counts the third when the reason would have 257 characters', () => {
      expect(rejectionOf(44)).toBe(`${firstTwo}; and 1 more`);
    });
  });

  it('describes the first difference even when it alone exceeds 256 characters', () => {
    const tokenInAddress = 'E'.repeat(300);
    const payment = paymentOf({ token_in_address: stranger, fee_amount: '1' });

    const verdict = verdictOn({
      order: anOrder({ direct: { ...terms.direct!, tokenInAddress } }),
      transaction: mined([payment]),
    });

    expect(verdict).toEqual({
      kind: 'reject',
      reason: `PAYMENT_MISMATCH: token_in_address is ${stranger}, not ${tokenInAddress}; and 1 more`,
    });
  });
});
