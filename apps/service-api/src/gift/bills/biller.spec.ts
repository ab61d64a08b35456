import { parse } from 'lossless-json';
import { Decimal } from '@tollbridge/money';
import { readBiller } from '../providers/reloadly/reloadly.bills.wire';
import { amountIdOf, costOfPayment, validatePayment } from './biller';

const of = (text: string) => Decimal.of(text);
/** Parses a value as the HTTP client does. */
const wire = (value: object): unknown => parse(JSON.stringify(value));

describe('Biller', () => {
  const billerOf = (changes: object = {}) =>
    readBiller(
      wire({
        id: 5,
        name: 'Power',
        countryCode: 'SN',
        type: 'ELECTRICITY_BILL_PAYMENT',
        serviceType: 'PREPAID',
        denominationType: 'FIXED',
        localAmountSupported: true,
        localTransactionCurrencyCode: 'XOF',
        localFixedAmounts: [{ id: 51, amount: 5_000, description: 'small' }],
        fx: { rate: 600 },
        localTransactionFee: 60,
        localTransactionFeePercentage: 1,
        internationalAmountSupported: false,
        ...changes,
      }),
    );
  const asked = (amount: string, useLocalAmount = true) => ({ amount: of(amount), useLocalAmount });

  it('finds the id of a fixed amount', () => {
    expect(amountIdOf(asked('5000'), billerOf())).toBe(51);
    expect(amountIdOf(asked('5000', false), billerOf())).toBeNull();
    expect(validatePayment(asked('5000'), billerOf())).toEqual([]);
    expect(validatePayment(asked('4999'), billerOf())).toHaveLength(1);
    expect(validatePayment(asked('5000', false), billerOf())[0]!.field).toBe('useLocalAmount');
  });

  it('computes the cost of the amount and its fees, at the exchange rate', () => {
    // (5000 + 50 + 60) / 600
    expect(costOfPayment(asked('5000'), billerOf())?.text).toBe('8.516667');
    expect(costOfPayment(asked('5000'), billerOf({ fx: null }))).toBeNull();
  });

  it('reads the country under its older field name too', () => {
    expect(billerOf().shown.countryCode).toBe('SN');
    expect(billerOf({ countryIsoCode: 'ML' }).shown.countryCode).toBe('ML');
  });
});
