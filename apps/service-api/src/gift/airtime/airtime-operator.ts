import type { FieldError } from '@tollbridge/rpc';
import { validateAmount } from '../amounts';
import type { Decimal } from '@tollbridge/money';
import type { Operator } from './airtime-provider';

export interface AskedTopUp {
  amount: Decimal;
  useLocalAmount: boolean;
  countryCode: string;
}

export function validateTopUp(asked: AskedTopUp, operator: Operator | undefined): FieldError[] {
  if (!operator?.isActive)
    return [
      {
        field: 'operatorId',
        message: 'is not a supported operator; GET /gift/airtime/detect finds that of a number',
      },
    ];
  const { shown, choice, localChoice } = operator;
  const errors: (FieldError | undefined)[] = [];
  if (asked.useLocalAmount && !shown.supportsLocalAmounts)
    errors.push({
      field: 'useLocalAmount',
      message: 'must be false: the operator accepts no local amounts',
    });
  else errors.push(validateAmount('amount', asked.amount, asked.useLocalAmount ? localChoice : choice));
  if (asked.countryCode !== shown.countryCode)
    errors.push({
      field: 'recipientPhone.countryCode',
      message: `must be ${shown.countryCode}, the country of the operator`,
    });
  return errors.filter((error) => error !== undefined);
}

// Budgets count millionths of a dollar.
const budgetDigits = 6;

/** The highest cost of a top-up, in the paying currency; null when the provider publishes no rate. */
export function highestCostOfTopUp(
  { amount, useLocalAmount }: AskedTopUp,
  { rate, fees }: Operator,
): Decimal | null {
  if (!useLocalAmount)
    return amount.plus(amount.times(fees.internationalPercentage.percent)).plus(fees.international);
  if (!rate || rate.isZero) return null;
  const local = amount.plus(amount.times(fees.localPercentage.percent)).plus(fees.local);
  return local.dividedUp(rate, budgetDigits);
}
