import { UnreadableReply } from '@tollbridge/http';
import { parse } from 'lossless-json';
import { highestCostOfTopUp, problemsOfTopUp, readOperator } from './airtime-operator';
import { problemOf, valueUsd } from './amounts';
import { amountIdOf, costOfPayment, problemsOfPayment, readBiller } from './biller';
import { Decimal } from './decimal';
import { highestCost, problemsOfOrder, readProduct } from './gift-card-product';

const of = (text: string) => Decimal.of(text);
/** As the client parses it. */
const wire = (value: object): unknown => parse(JSON.stringify(value));

describe('an amount', () => {
  const choice = { fixed: [of('10'), of('25')], min: null, max: null };
  it.each([
    ['10.00', undefined],
    ['11', 'must be one of 10, 25'],
  ])('of a list: %s', (amount, message) => {
    expect(problemOf('amount', of(amount), choice)?.message).toBe(message);
  });

  it.each([
    ['1', undefined],
    ['50', undefined],
    ['0.99999', 'must be from 1 to 50'],
    ['50.00001', 'must be from 1 to 50'],
  ])('within bounds: %s', (amount, message) => {
    const range = { fixed: [], min: of('1'), max: of('50') };
    expect(problemOf('amount', of(amount), range)?.message).toBe(message);
  });

  it('without bounds is refused, and a long list is cut', () => {
    expect(problemOf('a', of('1'), { fixed: [], min: null, max: of('5') })?.message).toMatch(
      /publishes no range/,
    );
    const many = Array.from({ length: 30 }, (_, index) => of(String(index + 1)));
    expect(problemOf('a', of('99'), { fixed: many, min: null, max: null })?.message).toMatch(/ 20, …$/);
  });

  it('is counted in dollars only', () => {
    expect(valueUsd(of('1.0000001'), 'USD')).toBe('1.000001');
    expect([valueUsd(of('1'), 'EUR'), valueUsd(null, 'USD'), valueUsd(of('1'), null)]).toEqual([
      null,
      null,
      null,
    ]);
  });
});

const productOf = (changes: object = {}) =>
  readProduct(
    wire({
      ...{ productId: 7, productName: 'Tea', denominationType: 'RANGE', recipientCurrencyCode: 'EUR' },
      ...{ recipientCurrencyToSenderCurrencyExchangeRate: 1.1, senderCurrencyCode: 'USD', status: 'ACTIVE' },
      ...{ minRecipientDenomination: 5, maxRecipientDenomination: 200, fixedRecipientDenominations: [] },
      ...{
        senderFee: 0.5,
        senderFeePercentage: 2,
        discountPercentage: 3,
        country: { isoName: 'ES', name: 'Spain' },
      },
      ...changes,
    }),
  );

describe('a product', () => {
  const order = (unitPrice: string, countryCode?: string) => ({
    ...{ productId: 7, unitPrice: of(unitPrice) },
    ...(countryCode !== undefined && { countryCode }),
  });
  const fields = (problems: { field: string }[]) => problems.map(({ field }) => field);

  it('costs its price, the percentage and the fee, for each card; the discount is not relied on', () => {
    expect(highestCost(productOf(), of('10'), 3)?.text).toBe('35.16');
    const bare = { senderFee: null, senderFeePercentage: null };
    expect(highestCost(productOf(bare), of('10'), 1)?.text).toBe('11');
  });

  it('of a list costs what stands beside the denomination', () => {
    const fixed = {
      ...{ denominationType: 'FIXED', fixedRecipientDenominations: [10, 20] },
      ...{ fixedSenderDenominations: [12.5, 24], senderFee: 0, senderFeePercentage: 0 },
    };
    expect(highestCost(productOf(fixed), of('20'), 2)?.text).toBe('48');
    const priceless = { recipientCurrencyToSenderCurrencyExchangeRate: null };
    expect(highestCost(productOf(priceless), of('20'), 2)).toBeNull();
  });

  it('has problems named all at once', () => {
    expect(problemsOfOrder(order('5', 'es'), productOf())).toEqual([]);
    expect(fields(problemsOfOrder(order('4.99', 'US'), productOf()))).toEqual(['unitPrice', 'countryCode']);
    expect(fields(problemsOfOrder(order('5'), undefined))).toEqual(['productId']);
    expect(fields(problemsOfOrder(order('5'), productOf({ status: 'INACTIVE' })))).toEqual(['productId']);
    const needy = productOf({ additionalRequirements: { userIdRequired: true } });
    expect(fields(problemsOfOrder(order('5'), needy))).toEqual(['productId']);
  });

  it('is read also where one schema spells a name otherwise', () => {
    const product = productOf({ maxRecipientDenomination: undefined, maxrecipientDenomination: 99 });
    expect(product.shown.maxRecipientDenomination).toBe(99);
    expect(fields(problemsOfOrder(order('100'), product))).toEqual(['unitPrice']);
  });

  it.each([{ productId: 'x' }, { denominationType: null }, { country: null }, { senderFee: -1 }])(
    'is not believed with %j',
    (changes) => expect(() => productOf(changes)).toThrow(UnreadableReply),
  );
});

describe('an operator', () => {
  const operatorOf = (changes: object = {}) =>
    readOperator(
      wire({
        ...{ id: 3, name: 'Savanna', denominationType: 'RANGE', senderCurrencyCode: 'USD' },
        ...{ destinationCurrencyCode: 'NGN', country: { isoName: 'NG' }, supportsLocalAmounts: true },
        ...{
          minAmount: 1,
          maxAmount: 50,
          localMinAmount: 1_500,
          localMaxAmount: 75_000,
          fx: { rate: 1_500 },
        },
        fees: { international: 0.1, internationalPercentage: 1, local: 15, localPercentage: 2 },
        ...changes,
      }),
    );
  const asked = (amount: string, useLocalAmount = false) => ({
    ...{ amount: of(amount), useLocalAmount, countryCode: 'NG' },
  });

  it('costs the amount and its fees, in the money of the sender', () => {
    expect(highestCostOfTopUp(asked('10'), operatorOf())?.text).toBe('10.2');
    // (3000 + 60 + 15) / 1500
    expect(highestCostOfTopUp(asked('3000', true), operatorOf())?.text).toBe('2.05');
    for (const fx of [null, { rate: 0 }])
      expect(highestCostOfTopUp(asked('3000', true), operatorOf({ fx }))).toBeNull();
  });

  it('takes what is within the bounds of the money that is meant', () => {
    expect(problemsOfTopUp(asked('50'), operatorOf())).toEqual([]);
    expect(problemsOfTopUp(asked('1500', true), operatorOf())).toEqual([]);
    expect(problemsOfTopUp(asked('1500'), operatorOf())).toHaveLength(1);
    expect(problemsOfTopUp(asked('5'), operatorOf({ status: 'INACTIVE' }))).toHaveLength(1);
  });
});

describe('a biller', () => {
  const billerOf = (changes: object = {}) =>
    readBiller(
      wire({
        ...{
          id: 5,
          name: 'Power',
          countryCode: 'SN',
          type: 'ELECTRICITY_BILL_PAYMENT',
          serviceType: 'PREPAID',
        },
        ...{ denominationType: 'FIXED', localAmountSupported: true, localTransactionCurrencyCode: 'XOF' },
        ...{ localFixedAmounts: [{ id: 51, amount: 5_000, description: 'small' }], fx: { rate: 600 } },
        ...{ localTransactionFee: 60, localTransactionFeePercentage: 1, internationalAmountSupported: false },
        ...changes,
      }),
    );
  const asked = (amount: string, useLocalAmount = true) => ({ amount: of(amount), useLocalAmount });

  it('knows an amount of its list by its id', () => {
    expect(amountIdOf(asked('5000'), billerOf())).toBe(51);
    expect(amountIdOf(asked('5000', false), billerOf())).toBeNull();
    expect(problemsOfPayment(asked('5000'), billerOf())).toEqual([]);
    expect(problemsOfPayment(asked('4999'), billerOf())).toHaveLength(1);
    expect(problemsOfPayment(asked('5000', false), billerOf())[0]!.field).toBe('useLocalAmount');
  });

  it('costs the amount and its fees, at the rate', () => {
    // (5000 + 50 + 60) / 600
    expect(costOfPayment(asked('5000'), billerOf())?.text).toBe('8.516667');
    expect(costOfPayment(asked('5000'), billerOf({ fx: null }))).toBeNull();
  });

  it('is read under its older name of the country too', () => {
    expect(billerOf().shown.countryCode).toBe('SN');
    expect(billerOf({ countryIsoCode: 'ML' }).shown.countryCode).toBe('ML');
  });
});
