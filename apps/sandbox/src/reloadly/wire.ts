import { createHash } from 'node:crypto';
import type { Biller, Operator, Product } from './catalogue';
import { dividedBy, number, times, type Money } from './money';

/** Wire format of the provider's products. */
export function wireProduct(product: Product) {
  const { denominations, rate, country, category, brand } = product;
  const fixed = 'fixed' in denominations ? denominations.fixed : [];
  const bounds = 'fixed' in denominations ? null : denominations;
  const inDollars = (money: Money): number => number(times(money, rate));
  return {
    productId: product.productId,
    productName: product.productName,
    global: false,
    supportsPreOrder: product.supportsPreOrder,
    status: 'ACTIVE',
    senderFee: number(product.senderFee),
    senderFeePercentage: number(product.senderFeePercentage),
    discountPercentage: number(product.discountPercentage),
    denominationType: bounds ? 'RANGE' : 'FIXED',
    recipientCurrencyCode: product.recipientCurrencyCode,
    recipientCurrencyToSenderCurrencyExchangeRate: number(rate),
    minRecipientDenomination: bounds && number(bounds.min),
    maxRecipientDenomination: bounds && number(bounds.max),
    senderCurrencyCode: 'USD',
    minSenderDenomination: bounds && inDollars(bounds.min),
    maxSenderDenomination: bounds && inDollars(bounds.max),
    fixedRecipientDenominations: fixed.map(number),
    fixedSenderDenominations: bounds ? null : fixed.map(inDollars),
    fixedRecipientToSenderDenominationsMap: bounds
      ? null
      : Object.fromEntries(fixed.map((face) => [number(face).toFixed(1), inDollars(face)])),
    metadata: null,
    logoUrls: [`https://cdn.example/giftcards/${product.productId}.png`],
    brand,
    category,
    country: { ...country, flagUrl: `https://cdn.example/flags/${country.isoName.toLowerCase()}.svg` },
    redeemInstruction: { concise: 'Enter the code at the checkout.', verbose: 'Sign in.\nEnter the code.' },
    additionalRequirements: { userIdRequired: false },
  };
}

export function wireOperator(operator: Operator) {
  const { operatorId, name, denominations, rate, country, supportsLocalAmounts } = operator;
  const fixed = 'fixed' in denominations ? denominations.fixed : [];
  const bounds = 'fixed' in denominations ? null : denominations;
  const local = (money: Money): number => number(times(money, rate));
  const hasLocal = supportsLocalAmounts && bounds !== null;
  return {
    id: operatorId,
    operatorId,
    name,
    bundle: false,
    data: false,
    pin: operator.pin,
    comboProduct: false,
    supportsLocalAmounts,
    supportsGeographicalRechargePlans: false,
    denominationType: bounds ? 'RANGE' : 'FIXED',
    senderCurrencyCode: 'USD',
    senderCurrencySymbol: '$',
    destinationCurrencyCode: operator.destinationCurrencyCode,
    destinationCurrencySymbol: operator.destinationCurrencyCode,
    commission: 0,
    internationalDiscount: number(operator.internationalDiscount),
    localDiscount: 0,
    mostPopularAmount: bounds ? null : number(fixed[0]!),
    mostPopularLocalAmount: null,
    minAmount: bounds && number(bounds.min),
    maxAmount: bounds && number(bounds.max),
    localMinAmount: hasLocal ? local(bounds.min) : null,
    localMaxAmount: hasLocal ? local(bounds.max) : null,
    country,
    fx: { rate: number(rate), currencyCode: operator.destinationCurrencyCode },
    logoUrls: [`https://cdn.example/operators/${operatorId}.png`],
    fixedAmounts: fixed.map(number),
    fixedAmountsDescriptions: {},
    localFixedAmounts: [],
    localFixedAmountsDescriptions: {},
    suggestedAmounts: bounds ? [number(bounds.min)] : [],
    suggestedAmountsMap: bounds ? { [number(bounds.min)]: local(bounds.min) } : {},
    fees: { international: 0, internationalPercentage: 0, local: 0, localPercentage: 0 },
    geographicalRechargePlans: [],
    promotions: [],
    status: 'ACTIVE',
  };
}

export function wireBiller(biller: Biller) {
  const { id, name, countryIsoCode, type, serviceType, local, rate, localTransactionCurrencyCode } = biller;
  const bounds = 'fixed' in local ? null : local;
  const fixed = 'fixed' in local ? local.fixed : [];
  const dollars = (money: Money): number => number(dividedBy(money, rate));
  return {
    id,
    name,
    countryIsoCode,
    type,
    serviceType,
    localAmountSupported: true,
    localTransactionCurrencyCode,
    minLocalTransactionAmount: bounds && number(bounds.min),
    maxLocalTransactionAmount: bounds && number(bounds.max),
    localTransactionFee: 0,
    localTransactionFeeCurrencyCode: localTransactionCurrencyCode,
    localTransactionFeePercentage: number(biller.feePercentage),
    localDiscountPercentage: 0,
    internationalAmountSupported: bounds !== null,
    internationalTransactionCurrencyCode: 'USD',
    minInternationalTransactionAmount: bounds && dollars(bounds.min),
    maxInternationalTransactionAmount: bounds && dollars(bounds.max),
    internationalTransactionFee: 0,
    internationalTransactionFeeCurrencyCode: 'USD',
    internationalTransactionFeePercentage: number(biller.feePercentage),
    internationalDiscountPercentage: 0,
    requiresInvoice: biller.requiresInvoice,
    denominationType: bounds ? 'RANGE' : 'FIXED',
    localFixedAmounts: fixed.map((money, index) => ({
      id: id * 10 + index,
      amount: number(money),
      description: `${number(money)}`,
    })),
    internationalFixedAmounts: [],
    fx: { rate: number(rate), currencyCode: localTransactionCurrencyCode },
  };
}

/** Returns the envelope of a list. Pages are numbered from 1, and page 0 means page 1. */
export function page<T>(all: readonly T[], query: Readonly<Record<string, unknown>>, maxSize: number) {
  const size = Math.min(Math.max(Number(query['size'] ?? maxSize) || maxSize, 1), maxSize);
  const index = Math.max(Number(query['page'] ?? 1) || 1, 1) - 1;
  const content = all.slice(index * size, (index + 1) * size);
  const totalPages = Math.ceil(all.length / size);
  return {
    content,
    totalElements: all.length,
    totalPages,
    size,
    number: index + 1,
    first: index === 0,
    last: index + 1 >= totalPages,
    empty: content.length === 0,
    numberOfElements: content.length,
    sort: { sorted: false, unsorted: true, empty: true },
  };
}

/** Derives a code from the transaction. It is the same at every read, and is not stored. */
export function codeOf(seed: string, length: number): string {
  const digest = createHash('sha256').update(`code ${seed}`).digest('hex');
  return BigInt(`0x${digest}`).toString().slice(0, length);
}
