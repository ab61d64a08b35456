import type { FieldError } from '@tollbridge/rpc';
import { validateAmount } from '../amounts';
import type { Decimal } from '@tollbridge/money';
import type { AmountRules, Biller } from './bill-provider';

export interface AskedPayment {
  amount: Decimal;
  useLocalAmount: boolean;
}

const rulesOf = ({ local, international }: Biller, { useLocalAmount }: AskedPayment): AmountRules =>
  useLocalAmount ? local : international;

export function validatePayment(asked: AskedPayment, biller: Biller | undefined): FieldError[] {
  if (!biller)
    return [
      { field: 'billerId', message: 'is not a supported biller; GET /gift/utilities/billers lists them' },
    ];
  const { shown } = biller;
  const rules = rulesOf(biller, asked);
  const errors: (FieldError | undefined)[] = [];
  if (shown.requiresInvoice)
    errors.push({
      field: 'billerId',
      message: 'cannot be paid: this biller requires an invoice, which is not supported',
    });
  if (!rules.isSupported) {
    const other = String(!asked.useLocalAmount);
    errors.push({ field: 'useLocalAmount', message: `must be ${other} for this biller` });
  } else errors.push(validateAmount('amount', asked.amount, rules.choice));
  return errors.filter((error) => error !== undefined);
}

/** The id of a fixed amount; null for every other amount. */
export function amountIdOf(asked: AskedPayment, biller: Biller): number | null {
  const found = rulesOf(biller, asked).fixed.find(({ amount }) => amount.compare(asked.amount) === 0);
  return found?.id ?? null;
}

// Budgets count millionths of a dollar.
const budgetDigits = 6;

/** The cost of a payment, in the international currency; null when the provider publishes no rate. */
export function costOfPayment(asked: AskedPayment, biller: Biller): Decimal | null {
  const { fee, feePercentage } = rulesOf(biller, asked);
  const { amount, useLocalAmount } = asked;
  const cost = amount.plus(amount.times(feePercentage.percent)).plus(fee);
  if (!useLocalAmount) return cost;
  const { rate } = biller;
  return rate && !rate.isZero ? cost.dividedUp(rate, budgetDigits) : null;
}
