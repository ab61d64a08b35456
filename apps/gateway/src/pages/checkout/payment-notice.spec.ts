import { visibleText } from '../../testing/visible-text';
import { aDepositOrder, aPayment, anAttempt, anOrder } from '../testing/payment.builder';
import { isPayable } from './pay-state';
import { paymentNotice } from './payment-notice';
import { english } from '../texts/languages';

const seen = { pay_tx: '0xabc', instructions: null };
const noticeOf = (...[status, order]: Parameters<typeof isPayable>) =>
  paymentNotice(status, order, english).text;
const wordsOf = (...given: Parameters<typeof isPayable>) => visibleText(noticeOf(...given));

describe('paymentNotice', () => {
  it('shows the number of confirmations of a seen payment', () => {
    expect(wordsOf(aPayment(seen), anOrder())).toContain('Confirmation 2 of 5.');
    expect(noticeOf(aPayment(seen), anOrder())).toContain('<progress max="5" value="2"');
  });

  it('shows the missing amount of a deposit, and explains how to pay the rest', () => {
    const words = wordsOf(aPayment(seen), aDepositOrder());
    for (const text of [
      '0.6 ETH missing',
      '0.4 ETH arrived',
      'Send the rest to the same address',
      'is returned',
    ])
      expect(words).toContain(text);
  });

  it('shows that a complete deposit is being exchanged', () => {
    const order = aDepositOrder({ deposit_status: 'processing', deposited_amount: String(10n ** 18n) });
    expect(wordsOf(aPayment(seen), order)).toContain('It is being exchanged');
  });

  it('shows the refunded amount of an overpaid or failed deposit', () => {
    const order = aDepositOrder({ deposit_status: 'delivered', refunded_amount: '5' + '0'.repeat(17) });
    for (const status of ['completed', 'failed'] as const)
      expect(wordsOf(aPayment({ status }), order)).toContain('0.5 ETH was returned to the refund address.');
  });

  it('shows that a late payment was accepted', () => {
    expect(wordsOf(aPayment({ status: 'completed' }), anOrder({ late: true }))).toContain(
      'arrived after its time',
    );
    expect(wordsOf(aPayment({ status: 'completed' }), anOrder())).not.toContain('after its time');
  });

  it('explains what happens to the money of a failed and an expired direct payment', () => {
    expect(wordsOf(aPayment({ status: 'failed' }), anOrder())).toContain('all or nothing');
    expect(wordsOf(aPayment({ status: 'expired' }), undefined)).toContain(
      'accepts nothing after the deadline',
    );
  });

  it('explains what happens to a deposit in transit when its order expires', () => {
    const order = { ...aPayment().order, direct: null };
    expect(wordsOf(aPayment({ status: 'expired', order }), undefined)).toContain(
      'credited when it arrives, or returned',
    );
  });

  it('shows the state without the order, which may be unreadable', () => {
    expect(wordsOf(aPayment(seen), undefined)).toContain('Your payment was received');
  });
});

describe('isPayable', () => {
  it.each([
    ['a waiting payment', aPayment(), undefined, true],
    ['a payment with a submitted hash that does not pay it', aPayment({ pay_tx: '0xabc' }), undefined, true],
    ['a payment with an open wallet', anAttempt('asking'), undefined, false],
    ['a payment in flight', anAttempt('sent', '0xabc'), undefined, false],
    ['a failed attempt', anAttempt('failed', '0xabc'), undefined, true],
    ['an attempt without an outcome', anAttempt('unknown'), undefined, true],
    [
      'an incomplete deposit with another transaction in flight',
      anAttempt('sent', '0xdef', seen),
      aDepositOrder(),
      false,
    ],
    ['a payment that was seen', aPayment(seen), anOrder(), false],
    ['an incomplete deposit', aPayment(seen), aDepositOrder(), true],
    ['an overpaid deposit', aPayment(seen), aDepositOrder({ deposited_amount: '2' + '0'.repeat(18) }), false],
    ['an expired payment', aPayment({ status: 'expired' }), undefined, false],
  ])('returns the expected result for %s', (_name, status, order, expected) => {
    expect(isPayable(status, order)).toBe(expected);
  });
});
