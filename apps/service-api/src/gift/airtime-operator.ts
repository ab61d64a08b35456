import type { AirtimeOperator } from '@tollbridge/contracts';
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

/** An operator with what is needed to check and to price a top-up. */
export interface Operator {
  shown: Omit<AirtimeOperator, 'phone'>;
  choice: Choice;
  localChoice: Choice;
  /** Local currency for one unit of the sender's. */
  rate: Decimal | null;
  fees: {
    international: Decimal;
    internationalPercentage: Decimal;
    local: Decimal;
    localPercentage: Decimal;
  };
  isActive: boolean;
}

export function readOperator(value: unknown): Operator {
  const fields = fieldsOf(value, 'operator');
  const decimal = (name: string) => optionalDecimal(fields[name], name);
  const isFixed = textOf(fields['denominationType'], 'denominationType') === 'FIXED';
  const [fixed, localFixed, suggested] = ['fixedAmounts', 'localFixedAmounts', 'suggestedAmounts'].map(
    (name) => decimalsOf(fields[name], name),
  ) as [Decimal[], Decimal[], Decimal[]];
  const [min, max, localMin, localMax] = ['minAmount', 'maxAmount', 'localMinAmount', 'localMaxAmount'].map(
    decimal,
  ) as [Decimal | null, Decimal | null, Decimal | null, Decimal | null];
  const rate = optionalDecimal(optionalFields(fields['fx'], 'fx')['rate'], 'rate');
  const given = optionalFields(fields['fees'], 'fees');
  const fee = (name: string) => decimalOr(given[name], name, Decimal.zero);
  const numbers = (all: Decimal[]) => all.map(({ number }) => number);
  return {
    shown: {
      operatorId: integerOf(fields['operatorId'] ?? fields['id'], 'operatorId'),
      name: textOf(fields['name'], 'name'),
      countryCode: textOf(fieldsOf(fields['country'], 'country')['isoName'], 'country'),
      denominationType: isFixed ? 'FIXED' : 'RANGE',
      senderCurrencyCode: textOf(fields['senderCurrencyCode'], 'senderCurrencyCode'),
      destinationCurrencyCode: textOf(fields['destinationCurrencyCode'], 'destinationCurrencyCode'),
      supportsLocalAmounts: flagOf(fields['supportsLocalAmounts']),
      ...{ minAmount: min?.number ?? null, maxAmount: max?.number ?? null },
      ...{ localMinAmount: localMin?.number ?? null, localMaxAmount: localMax?.number ?? null },
      fixedAmounts: numbers(fixed),
      localFixedAmounts: numbers(localFixed),
      suggestedAmounts: numbers(suggested),
      mostPopularAmount: decimal('mostPopularAmount')?.number ?? null,
      fxRate: rate?.number ?? null,
      logoUrls: textsOf(fields['logoUrls']),
    },
    choice: isFixed ? { fixed, min: null, max: null } : { fixed: [], min, max },
    localChoice: isFixed
      ? { fixed: localFixed, min: null, max: null }
      : { fixed: [], min: localMin, max: localMax },
    rate,
    fees: {
      ...{ international: fee('international'), internationalPercentage: fee('internationalPercentage') },
      ...{ local: fee('local'), localPercentage: fee('localPercentage') },
    },
    isActive: (optionalText(fields['status']) ?? 'ACTIVE') === 'ACTIVE',
  };
}

export interface AskedTopUp {
  amount: Decimal;
  useLocalAmount: boolean;
  countryCode: string;
}

export function problemsOfTopUp(asked: AskedTopUp, operator: Operator | undefined): FieldError[] {
  if (!operator?.isActive)
    return [
      {
        field: 'operatorId',
        message: 'is not a supported operator; GET /gift/airtime/detect finds that of a number',
      },
    ];
  const { shown, choice, localChoice } = operator;
  const problems: (FieldError | undefined)[] = [];
  if (asked.useLocalAmount && !shown.supportsLocalAmounts)
    problems.push({
      field: 'useLocalAmount',
      message: 'must be false: the operator accepts no local amounts',
    });
  else problems.push(problemOf('amount', asked.amount, asked.useLocalAmount ? localChoice : choice));
  if (asked.countryCode !== shown.countryCode)
    problems.push({
      field: 'recipientPhone.countryCode',
      message: `must be ${shown.countryCode}, the country of the operator`,
    });
  return problems.filter((problem) => problem !== undefined);
}

// Budgets count millionths.
const budgetDigits = 6;

/** What a top-up costs at most, in the sender's currency; null where the provider tells no rate. */
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
