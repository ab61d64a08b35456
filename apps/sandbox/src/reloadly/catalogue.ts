import { fraction, type Money } from './money';

/**
 * Products of the simulator. Names are fictional. Amounts are in hundred-thousandths, which is the provider's
 * precision.
 */
export interface Product {
  productId: number;
  productName: string;
  brand: { brandId: number; brandName: string };
  category: { id: number; name: string };
  country: Country;
  recipientCurrencyCode: string;
  /** Dollars for one unit of the recipient's currency. */
  rate: Money;
  discountPercentage: Money;
  senderFeePercentage: Money;
  senderFee: Money;
  supportsPreOrder: boolean;
  denominations: { fixed: Money[] } | { min: Money; max: Money };
}

export interface Country {
  isoName: string;
  name: string;
}

export interface Operator {
  operatorId: number;
  name: string;
  country: Country;
  destinationCurrencyCode: string;
  /** Units of the destination currency for a dollar. */
  rate: Money;
  internationalDiscount: Money;
  supportsLocalAmounts: boolean;
  /** Whether it delivers a code instead of credit. */
  pin: boolean;
  denominations: { fixed: Money[] } | { min: Money; max: Money };
}

export interface Biller {
  id: number;
  name: string;
  countryIsoCode: string;
  type: string;
  serviceType: 'PREPAID' | 'POSTPAID';
  localTransactionCurrencyCode: string;
  rate: Money;
  requiresInvoice: boolean;
  feePercentage: Money;
  local: { fixed: Money[] } | { min: Money; max: Money };
}

const countries: Record<string, string> = {
  US: 'United States',
  ES: 'Spain',
  GB: 'United Kingdom',
  DE: 'Germany',
  NG: 'Nigeria',
  SN: 'Senegal',
  ML: 'Mali',
  IN: 'India',
};
const country = (isoName: string): Country => ({ isoName, name: countries[isoName]! });

/** Countries that the provider supports. */
export const isServed = (isoName: string): boolean => isoName in countries;

type ProductShort = Pick<Product, 'denominations'> &
  Partial<Pick<Product, 'discountPercentage' | 'senderFee' | 'senderFeePercentage' | 'supportsPreOrder'>>;

function product(
  productId: number,
  brandName: string,
  isoName: string,
  [recipientCurrencyCode, rate]: [string, string],
  short: ProductShort,
): Product {
  return {
    productId,
    productName: `${brandName} ${isoName}`,
    brand: { brandId: Math.floor(productId / 10), brandName },
    category: { id: 1, name: 'Shopping' },
    country: country(isoName),
    recipientCurrencyCode,
    rate: fraction(rate),
    discountPercentage: 0n,
    senderFeePercentage: 0n,
    senderFee: 0n,
    supportsPreOrder: false,
    ...short,
  };
}

const range = (min: string, max: string) => ({ min: fraction(min), max: fraction(max) });
const fixed = (...amounts: string[]) => ({ fixed: amounts.map(fraction) });
const usd: [string, string] = ['USD', '1'];

export const products: readonly Product[] = [
  product(1001, 'Booktown', 'US', usd, {
    denominations: range('1', '500'),
    discountPercentage: fraction('3'),
    senderFee: fraction('0.5'),
  }),
  product(1002, 'Arcadia Games', 'US', usd, {
    denominations: fixed('10', '25', '50', '100'),
    supportsPreOrder: true,
  }),
  product(1003, 'Prepaid Visa-like', 'US', usd, {
    denominations: range('5', '1000'),
    senderFeePercentage: fraction('2.5'),
  }),
  product(1101, 'Librería', 'ES', ['EUR', '1.08654'], {
    denominations: range('5', '200'),
    discountPercentage: fraction('1.5'),
  }),
  product(1201, 'Teashop', 'GB', ['GBP', '1.27'], { denominations: fixed('5', '10', '20') }),
  product(1301, 'Kaufhalle', 'DE', ['EUR', '1.08654'], { denominations: fixed('15', '25', '50') }),
];

const operator = (
  operatorId: number,
  name: string,
  isoName: string,
  rest: Omit<Operator, 'operatorId' | 'name' | 'country'>,
): Operator => ({ operatorId, name: `${name} ${countries[isoName]}`, country: country(isoName), ...rest });

export const operators: readonly Operator[] = [
  operator(3001, 'Savanna', 'NG', {
    destinationCurrencyCode: 'NGN',
    rate: fraction('1500'),
    internationalDiscount: fraction('2'),
    supportsLocalAmounts: true,
    pin: false,
    denominations: range('1', '50'),
  }),
  operator(3101, 'Iberia Móvil', 'ES', {
    destinationCurrencyCode: 'EUR',
    rate: fraction('0.92'),
    internationalDiscount: fraction('4'),
    supportsLocalAmounts: false,
    pin: false,
    denominations: fixed('5', '10', '20'),
  }),
  operator(3201, 'Prairie PIN', 'US', {
    destinationCurrencyCode: 'USD',
    rate: fraction('1'),
    internationalDiscount: 0n,
    supportsLocalAmounts: false,
    pin: true,
    denominations: range('5', '100'),
  }),
  operator(3301, 'Ganga', 'IN', {
    destinationCurrencyCode: 'INR',
    rate: fraction('83.5'),
    internationalDiscount: fraction('1'),
    supportsLocalAmounts: true,
    pin: false,
    denominations: range('0.5', '80'),
  }),
];

const biller = (
  id: number,
  name: string,
  countryIsoCode: string,
  rest: Pick<Biller, 'type' | 'serviceType' | 'local'> & Partial<Biller>,
): Biller => ({
  id,
  name,
  countryIsoCode,
  localTransactionCurrencyCode: 'XOF',
  rate: fraction('600'),
  requiresInvoice: false,
  feePercentage: fraction('1'),
  ...rest,
});

export const billers: readonly Biller[] = [
  biller(5001, 'Teranga Power', 'SN', {
    type: 'ELECTRICITY_BILL_PAYMENT',
    serviceType: 'PREPAID',
    local: range('1000', '500000'),
  }),
  biller(5002, 'Teranga Water', 'SN', {
    type: 'WATER_BILL_PAYMENT',
    serviceType: 'POSTPAID',
    local: range('500', '300000'),
    requiresInvoice: true,
  }),
  biller(5101, 'Niger River TV', 'ML', {
    type: 'TV_BILL_PAYMENT',
    serviceType: 'PREPAID',
    local: fixed('5000', '10000', '20000'),
  }),
  // Bills of this country always fail, as in the provider's own sandbox.
  biller(5201, 'Lagos Grid', 'NG', {
    type: 'ELECTRICITY_BILL_PAYMENT',
    serviceType: 'PREPAID',
    local: range('500', '200000'),
    localTransactionCurrencyCode: 'NGN',
    rate: fraction('1500'),
  }),
];
