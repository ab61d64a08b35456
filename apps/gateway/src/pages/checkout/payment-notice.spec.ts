import {
  exampleOfAttempt as attemptOf,
  exampleOfDepositOrder as depositOrder,
  exampleOfOrder as orderOf,
  exampleOfStatus as statusOf,
} from '../../testing/payment-fixture';
import { visibleText } from '../../testing/visible-text';
import { isPayable } from './pay-state';
import { paymentNotice } from './payment-notice';
import { english } from '../texts/languages';

const seen = { pay_tx: '0xabc', instructions: null };
const noticeOf = (...[status, order]: Parameters<typeof isPayable>) =>
  paymentNotice(status, order, english).text;
const wordsOf = (...given: Parameters<typeof isPayable>) => visibleText(noticeOf(...given));

describe('paymentNotice', () => {
  it('counts the confirmations of a payment that was seen', () => {
    expect(wordsOf(statusOf(seen), orderOf())).toContain('Confirmation 2 of 5.');
    expect(noticeOf(statusOf(seen), orderOf())).toContain('<progress max="5" value="2"');
  });

  it('names what is missing of a deposit, and what happens to the rest', () => {
    const words = wordsOf(statusOf(seen), depositOrder());
    for (const text of [
      '0.6 ETH missing',
      '0.4 ETH arrived',
      'Send the rest to the same address',
      'is returned',
    ])
      expect(words).toContain(text);
  });

  it('says that a complete deposit is being exchanged', () => {
    const order = depositOrder({ deposit_status: 'processing', deposited_amount: String(10n ** 18n) });
    expect(wordsOf(statusOf(seen), order)).toContain('It is being exchanged');
  });

  it('names what an overpaid and what a failed deposit returned', () => {
    const order = depositOrder({ deposit_status: 'delivered', refunded_amount: '5' + '0'.repeat(17) });
    for (const status of ['completed', 'failed'] as const)
      expect(wordsOf(statusOf({ status }), order)).toContain('0.5 ETH was returned to the refund address.');
  });

  it('says that a late payment was accepted', () => {
    expect(wordsOf(statusOf({ status: 'completed' }), orderOf({ late: true }))).toContain(
      'arrived after its time',
    );
    expect(wordsOf(statusOf({ status: 'completed' }), orderOf())).not.toContain('after its time');
  });

  it('says what happens to the money of a failed and of an expired direct payment', () => {
    expect(wordsOf(statusOf({ status: 'failed' }), orderOf())).toContain('all or nothing');
    expect(wordsOf(statusOf({ status: 'expired' }), undefined)).toContain(
      'accepts nothing after the deadline',
    );
  });

  it('says what happens to a deposit that is on its way when its order expires', () => {
    const order = { ...statusOf().order, direct: null };
    expect(wordsOf(statusOf({ status: 'expired', order }), undefined)).toContain(
      'credited when it arrives, or returned',
    );
  });

  it('shows the state without the order, which may be unreadable', () => {
    expect(wordsOf(statusOf(seen), undefined)).toContain('Your payment was received');
  });
});

describe('isPayable', () => {
  it.each([
    ['a waiting payment', statusOf(), undefined, true],
    ['a payment with a hash that does not pay it', statusOf({ pay_tx: '0xabc' }), undefined, true],
    ['a payment that a wallet was asked for', attemptOf('asking'), undefined, false],
    ['a payment in flight', attemptOf('sent', '0xabc'), undefined, false],
    ['a failed attempt', attemptOf('failed', '0xabc'), undefined, true],
    ['an attempt without an outcome', attemptOf('unknown'), undefined, true],
    ['a deposit in flight beside what arrived', attemptOf('sent', '0xdef', seen), depositOrder(), false],
    ['a payment that was seen', statusOf(seen), orderOf(), false],
    ['an incomplete deposit', statusOf(seen), depositOrder(), true],
    ['an overpaid deposit', statusOf(seen), depositOrder({ deposited_amount: '2' + '0'.repeat(18) }), false],
    ['an expired payment', statusOf({ status: 'expired' }), undefined, false],
  ])('decides for %s', (_name, status, order, expected) => {
    expect(isPayable(status, order)).toBe(expected);
  });
});
