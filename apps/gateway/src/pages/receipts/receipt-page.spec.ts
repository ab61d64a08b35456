import { aDepositOrder, aHostilePayment, aPayment, anOrder } from '../testing/payment.builder';
import { receiptLines, receiptPage } from './receipt-page';
import { english } from '../texts/languages';

const paid = aPayment({ status: 'completed', pay_tx: '0xabc', settle_tx: '0xabc' });

describe('the receipt of a payment', () => {
  it('contains amount, payer token, merchant, transaction and its own number', () => {
    expect(Object.fromEntries(receiptLines(paid, anOrder(), english))).toEqual({
      Amount: '12.5 USDC on Base',
      'Paid with': '12.5 USDC on Base',
      For: 'Two espressos',
      Merchant: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
      Payment: '0xabc',
      Request: paid.payment_request_id,
      'Receipt number': paid.payment_id,
    });
  });

  it('shows the amount that was paid on another chain, and the refunded amount', () => {
    const order = aDepositOrder({
      deposited_amount: String(10n ** 18n),
      refunded_amount: '1' + '0'.repeat(17),
    });
    const lines = Object.fromEntries(receiptLines({ ...paid, settle_tx: '0xdef' }, order, english));
    expect(lines).toMatchObject({
      'Paid with': '1 ETH on Arbitrum One',
      Returned: '0.1 ETH',
      'Transfer to the merchant': '0xdef',
    });
  });

  it('escapes the texts of the merchant', () => {
    const { body } = receiptPage(aHostilePayment('<script>alert(1)</script>'), anOrder(), english);
    expect(body.text).not.toContain('<script');
  });
});
