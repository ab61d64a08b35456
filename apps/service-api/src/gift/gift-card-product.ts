import type { DenominationType, GiftCardOrderRequest, GiftCardProduct } from '@tollbridge/contracts';
import type { FieldError } from '@tollbridge/rpc';
import { problemOf, type Choice } from './amounts';
import { Decimal } from './decimal';
import {
  decimalOr,
  decimalsOf,
  fieldsOf,
  flagOf,
  integerOf,
  optionalDecimal,
  optionalFields,
  optionalText,
  textOf,
  textsOf,
} from './reloadly/reloadly.fields';

/** A product with what is needed to check and to price an order. */
export interface Product {
  shown: GiftCardProduct;
  choice: Choice;
  /** Dollars, or whatever is paid in, for one unit of the card's currency. */
  rate: Decimal | null;
  fixedPrices: readonly Decimal[];
  feePercentage: Decimal;
  fee: Decimal;
  /** It wants to know more of who gets it than an order here can say. */
  needsMore: boolean;
  isActive: boolean;
}

const longestInstructions = 500;

export function readProduct(value: unknown): Product {
  const fields = fieldsOf(value, 'product');
  const { text, decimal } = readersOf(fields);
  const country = fieldsOf(fields['country'], 'country');
  const brand = optionalFields(fields['brand'], 'brand');
  const productName = text('productName');
  const isFixed = text('denominationType') === 'FIXED';
  const fixed = decimalsOf(fields['fixedRecipientDenominations'], 'fixedRecipientDenominations');
  const fixedPrices = decimalsOf(fields['fixedSenderDenominations'], 'fixedSenderDenominations');
  const [min, max] = [decimal('minRecipientDenomination'), decimal('maxRecipientDenomination')];
  const fee = decimalOr(fields['senderFee'], 'senderFee', Decimal.zero);
  const feePercentage = decimalOr(fields['senderFeePercentage'], 'senderFeePercentage', Decimal.zero);
  const discount = decimalOr(fields['discountPercentage'], 'discountPercentage', Decimal.zero);
  // In one published schema the name is written so.
  const most = max ?? optionalDecimal(fields['maxrecipientDenomination'], 'maxRecipientDenomination');
  const denominationType: DenominationType = isFixed ? 'FIXED' : 'RANGE';
  return {
    shown: {
      productId: integerOf(fields['productId'], 'productId'),
      productName,
      ...{
        countryCode: textOf(country['isoName'], 'country'),
        countryName: textOf(country['name'], 'country'),
      },
      brandName: optionalText(brand['brandName']) ?? productName,
      categoryName: optionalText(optionalFields(fields['category'], 'category')['name']),
      denominationType,
      recipientCurrencyCode: text('recipientCurrencyCode'),
      minRecipientDenomination: min?.number ?? null,
      maxRecipientDenomination: most?.number ?? null,
      fixedRecipientDenominations: fixed.map(({ number }) => number),
      senderCurrencyCode: text('senderCurrencyCode'),
      minSenderDenomination: decimal('minSenderDenomination')?.number ?? null,
      maxSenderDenomination: decimal('maxSenderDenomination')?.number ?? null,
      fixedSenderDenominations: fixedPrices.map(({ number }) => number),
      ...{ senderFee: fee.number, senderFeePercentage: feePercentage.number },
      discountPercentage: discount.number,
      logoUrls: textsOf(fields['logoUrls']),
      redeemInstructions: optionalText(
        optionalFields(fields['redeemInstruction'], 'redeemInstruction')['concise'],
        longestInstructions,
      ),
    },
    choice: isFixed ? { fixed, min: null, max: null } : { fixed: [], min, max: most },
    rate: decimal('recipientCurrencyToSenderCurrencyExchangeRate'),
    ...{ fixedPrices, fee, feePercentage },
    needsMore: flagOf(optionalFields(fields['additionalRequirements'], 'requirements')['userIdRequired']),
    isActive: (optionalText(fields['status']) ?? 'ACTIVE') === 'ACTIVE',
  };
}

function readersOf(fields: Readonly<Record<string, unknown>>) {
  return {
    text: (name: string): string => textOf(fields[name], name),
    decimal: (name: string): Decimal | null => optionalDecimal(fields[name], name),
  };
}

/** Everything that is wrong with an order, before anybody is asked for it. */
export function problemsOfOrder(
  {
    productId: _,
    countryCode,
    unitPrice,
  }: Pick<GiftCardOrderRequest, 'productId' | 'countryCode'> & {
    unitPrice: Decimal;
  },
  product: Product | undefined,
): FieldError[] {
  if (!product?.isActive)
    return [
      { field: 'productId', message: 'is not a product on sale; GET /gift/giftcards/products lists them' },
    ];
  const { shown, choice, needsMore } = product;
  const problems = [problemOf('unitPrice', unitPrice, choice)];
  if (needsMore)
    problems.push({
      field: 'productId',
      message: 'cannot be ordered: this product requires an account at the shop',
    });
  if (countryCode !== undefined && countryCode.toUpperCase() !== shown.countryCode)
    problems.push({
      field: 'countryCode',
      message: `must be ${shown.countryCode}, the country of the product`,
    });
  return problems.filter((problem) => problem !== undefined);
}

/**
 * What an order costs at most, in the currency that is paid in: without the discount, which local prices may lose. Null
 * where the provider tells no price.
 */
export function highestCost(product: Product, unitPrice: Decimal, quantity: number): Decimal | null {
  const { choice, fixedPrices, rate, feePercentage, fee } = product;
  const place = choice.fixed.findIndex((one) => one.compare(unitPrice) === 0);
  const price = fixedPrices[place] ?? (rate && unitPrice.times(rate));
  if (!price) return null;
  const each = price.plus(price.times(feePercentage.percent)).plus(fee);
  return each.times(Decimal.of(String(quantity)));
}
