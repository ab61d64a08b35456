import type { Biller as ShownBiller } from '@tollbridge/contracts';
import type { FieldError } from '@tollbridge/rpc';
import { problemOf, type Choice } from './amounts';
import { Decimal } from './decimal';
import {
  decimalOf,
  fieldsOf,
  flagOf,
  integerOf,
  listOf,
  optionalDecimal,
  optionalFields,
  optionalText,
  textOf,
} from './reloadly/reloadly.fields';

/** Amounts that have an id of their own, by which they are asked for. */
interface FixedAmount {
  id: number;
  amount: Decimal;
}

/** One way to say how much: in the biller's currency, or in that of the service balance. */
interface Way {
  isSupported: boolean;
  currency: string | null;
  choice: Choice;
  fixed: readonly FixedAmount[];
  fee: Decimal;
  feePercentage: Decimal;
}

/** A biller with what is needed to check and to price a payment. */
export interface Biller {
  shown: ShownBiller;
  local: Way;
  international: Way;
  /** Local currency for one unit of the international one. */
  rate: Decimal | null;
}

export function readBiller(value: unknown): Biller {
  const fields = fieldsOf(value, 'biller');
  const text = (name: string) => textOf(fields[name], name);
  const isFixed = text('denominationType') === 'FIXED';
  const local = readWay(fields, 'local', isFixed);
  const international = readWay(fields, 'international', isFixed);
  const rate = optionalDecimal(optionalFields(fields['fx'], 'fx')['rate'], 'rate');
  const number = (name: string) => optionalDecimal(fields[name], name)?.number ?? null;
  return {
    ...{ local, international, rate },
    shown: {
      id: integerOf(fields['id'], 'id'),
      name: text('name'),
      // In older answers it is called so.
      countryCode: textOf(fields['countryIsoCode'] ?? fields['countryCode'], 'countryIsoCode'),
      ...{ type: text('type'), serviceType: text('serviceType') },
      denominationType: isFixed ? 'FIXED' : 'RANGE',
      requiresInvoice: flagOf(fields['requiresInvoice']),
      localAmountSupported: local.isSupported,
      localTransactionCurrencyCode: local.currency,
      minLocalTransactionAmount: number('minLocalTransactionAmount'),
      maxLocalTransactionAmount: number('maxLocalTransactionAmount'),
      localTransactionFee: number('localTransactionFee'),
      localTransactionFeePercentage: number('localTransactionFeePercentage'),
      localFixedAmounts: local.fixed.map(({ amount }) => amount.number),
      internationalAmountSupported: international.isSupported,
      internationalTransactionCurrencyCode: international.currency,
      minInternationalTransactionAmount: number('minInternationalTransactionAmount'),
      maxInternationalTransactionAmount: number('maxInternationalTransactionAmount'),
      internationalTransactionFee: number('internationalTransactionFee'),
      internationalTransactionFeePercentage: number('internationalTransactionFeePercentage'),
      fxRate: rate?.number ?? null,
    },
  };
}

function readWay(
  fields: Readonly<Record<string, unknown>>,
  way: 'local' | 'international',
  isFixed: boolean,
): Way {
  const named = way === 'local' ? 'Local' : 'International';
  const decimal = (name: string) => optionalDecimal(fields[name], name);
  const fixed = isFixed ? readFixed(fields[`${way}FixedAmounts`]) : [];
  const bounds = {
    min: decimal(`min${named}TransactionAmount`),
    max: decimal(`max${named}TransactionAmount`),
  };
  return {
    isSupported: flagOf(fields[`${way}AmountSupported`]),
    currency: optionalText(fields[`${way}TransactionCurrencyCode`], 3),
    choice: isFixed
      ? { fixed: fixed.map(({ amount }) => amount), min: null, max: null }
      : { fixed: [], ...bounds },
    fixed,
    fee: decimal(`${way}TransactionFee`) ?? Decimal.zero,
    feePercentage: decimal(`${way}TransactionFeePercentage`) ?? Decimal.zero,
  };
}

function readFixed(value: unknown): FixedAmount[] {
  if (value === undefined || value === null) return [];
  return listOf(value, 'fixed amounts').map((item) => {
    const { id, amount } = fieldsOf(item, 'fixed amount');
    return { id: integerOf(id, 'id'), amount: decimalOf(amount, 'amount') };
  });
}

export interface AskedPayment {
  amount: Decimal;
  useLocalAmount: boolean;
}

const wayOf = ({ local, international }: Biller, { useLocalAmount }: AskedPayment): Way =>
  useLocalAmount ? local : international;

export function problemsOfPayment(asked: AskedPayment, biller: Biller | undefined): FieldError[] {
  if (!biller)
    return [
      { field: 'billerId', message: 'is not a supported biller; GET /gift/utilities/billers lists them' },
    ];
  const { shown } = biller;
  const way = wayOf(biller, asked);
  const problems: (FieldError | undefined)[] = [];
  if (shown.requiresInvoice)
    problems.push({
      field: 'billerId',
      message: 'cannot be paid: this biller requires an invoice, which is not supported',
    });
  if (!way.isSupported) {
    const other = String(!asked.useLocalAmount);
    problems.push({ field: 'useLocalAmount', message: `must be ${other} for this biller` });
  } else problems.push(problemOf('amount', asked.amount, way.choice));
  return problems.filter((problem) => problem !== undefined);
}

/** By which a fixed amount is asked for; null for all others. */
export function amountIdOf(asked: AskedPayment, biller: Biller): number | null {
  const found = wayOf(biller, asked).fixed.find(({ amount }) => amount.compare(asked.amount) === 0);
  return found?.id ?? null;
}

// Budgets count millionths.
const budgetDigits = 6;

/** What a payment costs, in the international currency; null where the provider tells no rate. */
export function costOfPayment(asked: AskedPayment, biller: Biller): Decimal | null {
  const { fee, feePercentage } = wayOf(biller, asked);
  const { amount, useLocalAmount } = asked;
  const cost = amount.plus(amount.times(feePercentage.percent)).plus(fee);
  if (!useLocalAmount) return cost;
  const { rate } = biller;
  return rate && !rate.isZero ? cost.dividedUp(rate, budgetDigits) : null;
}
