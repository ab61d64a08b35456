/**
 * The active currencies of ISO 4217 List One by their minor digits, with all amendments up to 180. Precious metals,
 * funds, units of account of banks and test codes are left out.
 */
const codesByDigits: readonly (readonly [number, string])[] = [
  [0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF'],
  [
    2,
    'AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CNY COP CRC ' +
      'CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR ' +
      'JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD ' +
      'NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN ' +
      'SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG',
  ],
  [3, 'BHD IQD JOD KWD LYD OMR TND'],
  [4, 'UYW'],
];

const digitsByCode: ReadonlyMap<string, number> = new Map(
  codesByDigits
    .flatMap(([digits, codes]) => codes.split(' ').map((code) => [code, digits] as const))
    .sort(([left], [right]) => (left < right ? -1 : 1)),
);

/** The codes of the active currencies of ISO 4217, sorted. */
export const currencyCodes: readonly string[] = [...digitsByCode.keys()];

const maxWholeDigits = 15;

/**
 * Returns the digits after the point in the minor unit of a currency: 2 for EUR, 0 for JPY, 3 for KWD. Undefined for a
 * code that is not an active currency of ISO 4217.
 */
export function currencyDigits(code: string): number | undefined {
  return digitsByCode.get(code);
}

/**
 * Whether `amount` is a price in major units of a currency: a plain decimal above 0, with at most 15 digits before the
 * point and at most the currency's digits after it. False for an unknown currency.
 */
export function isPriceText(amount: unknown, code: string): amount is string {
  return typeof amount === 'string' && priceProblem(amount, code) === undefined;
}

/**
 * Returns the canonical form of a price, with exactly the digits of its currency: `49.90` for `49.9` EUR.
 * @throws RangeError unless `isPriceText` accepts the price
 */
export function priceText(amount: string, code: string): string {
  const problem = priceProblem(amount, code);
  if (problem) throw new RangeError(problem);
  const digits = digitsByCode.get(code)!;
  const [whole = '', fraction = ''] = amount.split('.');
  return digits === 0 ? whole : `${whole}.${fraction.padEnd(digits, '0')}`;
}

function priceProblem(amount: string, code: string): string | undefined {
  const digits = digitsByCode.get(code);
  if (digits === undefined) return 'a currency must be an active currency of ISO 4217, such as EUR';
  const [, whole, fraction = ''] = /^(0|[1-9][0-9]*)(?:\.([0-9]+))?$/.exec(amount) ?? [];
  if (whole === undefined) return 'a price must be a plain decimal, such as 49.90';
  if (whole.length > maxWholeDigits) return `a price has at most ${maxWholeDigits} digits before the point`;
  if (fraction.length > digits) return `a price in ${code} has at most ${digits} digits after the point`;
  return /[1-9]/.test(amount) ? undefined : 'a price must be above 0';
}
