import { UnreadableReply } from '@tollbridge/http';
import { parse } from 'lossless-json';
import { Decimal } from '@tollbridge/money';
import { readProduct } from '../providers/reloadly/reloadly.gift-cards.wire';
import { highestCost, validateOrder } from './gift-card-product';

const of = (text: string) => Decimal.of(text);
/** Parses a value as the HTTP client does. */
const wire = (value: object): unknown => parse(JSON.stringify(value));

const productOf = (changes: object = {}) =>
  readProduct(
    wire({
      productId: 7,
      productName: 'Tea',
      denominationType: 'RANGE',
      recipientCurrencyCode: 'EUR',
      recipientCurrencyToSenderCurrencyExchangeRate: 1.1,
      senderCurrencyCode: 'USD',
      status: 'ACTIVE',
      minRecipientDenomination: 5,
      maxRecipientDenomination: 200,
      fixedRecipientDenominations: [],
      senderFee: 0.5,
      senderFeePercentage: 2,
      discountPercentage: 3,
      country: { isoName: 'ES', name: 'Spain' },
      ...changes,
    }),
  );

describe('Gift-card product', () => {
  const order = (unitPrice: string, countryCode?: string) => ({
    unitPrice: of(unitPrice),
    ...(countryCode !== undefined && { countryCode }),
  });
  const fields = (errors: { field: string }[]) => errors.map(({ field }) => field);

  it('adds price, percentage and fee of each card, and ignores the discount', () => {
    expect(highestCost(productOf(), of('10'), 3)?.text).toBe('35.16');
    const bare = { senderFee: null, senderFeePercentage: null };
    expect(highestCost(productOf(bare), of('10'), 1)?.text).toBe('11');
  });

  it('uses the price published for the denomination', () => {
    const fixed = {
      denominationType: 'FIXED',
      fixedRecipientDenominations: [10, 20],
      fixedSenderDenominations: [12.5, 24],
      senderFee: 0,
      senderFeePercentage: 0,
    };
    expect(highestCost(productOf(fixed), of('20'), 2)?.text).toBe('48');
    const priceless = { recipientCurrencyToSenderCurrencyExchangeRate: null };
    expect(highestCost(productOf(priceless), of('20'), 2)).toBeNull();
  });

  it('returns all field errors of an order', () => {
    expect(validateOrder(order('5', 'es'), productOf())).toEqual([]);
    expect(fields(validateOrder(order('4.99', 'US'), productOf()))).toEqual(['unitPrice', 'countryCode']);
    expect(fields(validateOrder(order('5'), undefined))).toEqual(['productId']);
    expect(fields(validateOrder(order('5'), productOf({ status: 'INACTIVE' })))).toEqual(['productId']);
    const withRequirements = productOf({ additionalRequirements: { userIdRequired: true } });
    expect(fields(validateOrder(order('5'), withRequirements))).toEqual(['productId']);
  });

  it('reads the misspelled field of one published schema', () => {
    const product = productOf({ maxRecipientDenomination: undefined, maxrecipientDenomination: 99 });
    expect(product.shown.maxRecipientDenomination).toBe(99);
    expect(fields(validateOrder(order('100'), product))).toEqual(['unitPrice']);
  });

  it.each([{ productId: 'x' }, { denominationType: null }, { country: null }, { senderFee: -1 }])(
    'rejects a reply with %j as unreadable',
    (changes) => expect(() => productOf(changes)).toThrow(UnreadableReply),
  );
});
