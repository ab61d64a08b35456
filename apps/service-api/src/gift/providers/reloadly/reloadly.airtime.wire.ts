// Reads and writes airtime in the provider's protocol. Pure functions.
import { readFields } from '@tollbridge/http';
import type { Progress } from '../../../purchases/purchase';
import type { Operator, TopUpResult, TopUpTerms } from '../../airtime/airtime-provider';
import { valueUsd } from '../../amounts';
import { Decimal, decimalNumber } from '@tollbridge/money';
import {
  decimalOf,
  decimalOr,
  decimalsOf,
  flagOf,
  integerOf,
  optionalDecimal,
  optionalFields,
  optionalText,
  statusOf,
  textOf,
  textsOf,
  timeOf,
} from './reloadly.fields';

export function readOperator(value: unknown): Operator {
  const fields = readFields(value, 'operator');
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
      countryCode: textOf(readFields(fields['country'], 'country')['isoName'], 'country'),
      denominationType: isFixed ? 'FIXED' : 'RANGE',
      senderCurrencyCode: textOf(fields['senderCurrencyCode'], 'senderCurrencyCode'),
      destinationCurrencyCode: textOf(fields['destinationCurrencyCode'], 'destinationCurrencyCode'),
      supportsLocalAmounts: flagOf(fields['supportsLocalAmounts']),
      minAmount: min?.number ?? null,
      maxAmount: max?.number ?? null,
      localMinAmount: localMin?.number ?? null,
      localMaxAmount: localMax?.number ?? null,
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
      international: fee('international'),
      internationalPercentage: fee('internationalPercentage'),
      local: fee('local'),
      localPercentage: fee('localPercentage'),
    },
    isActive: (optionalText(fields['status']) ?? 'ACTIVE') === 'ACTIVE',
  };
}

export function toTopUpBody(terms: TopUpTerms, reference: string): object {
  const { operatorId, amount, useLocalAmount, countryCode, phone } = terms;
  return {
    operatorId,
    amount: decimalNumber(amount),
    useLocalAmount,
    recipientPhone: { countryCode, number: phone },
    customIdentifier: reference,
  };
}

export function readTopUp(value: unknown): Progress<TopUpResult> {
  const fields = readFields(value, 'top-up');
  const requested = decimalOf(fields['requestedAmount'], 'requestedAmount');
  const currency = textOf(fields['requestedAmountCurrencyCode'], 'requestedAmountCurrencyCode');
  const discount = decimalOr(fields['discount'], 'discount', Decimal.zero);
  const fee = decimalOr(fields['fee'], 'fee', Decimal.zero);
  const result: TopUpResult = {
    transactionId: integerOf(fields['transactionId'], 'transactionId'),
    operatorTransactionId: optionalText(fields['operatorTransactionId']),
    operatorId: integerOf(fields['operatorId'], 'operatorId'),
    operatorName: textOf(fields['operatorName'], 'operatorName'),
    countryCode: textOf(fields['countryCode'], 'countryCode'),
    requestedAmount: requested.number,
    requestedAmountCurrencyCode: currency,
    deliveredAmount: optionalDecimal(fields['deliveredAmount'], 'deliveredAmount')?.number ?? null,
    deliveredAmountCurrencyCode: optionalText(fields['deliveredAmountCurrencyCode'], 3),
    discount: discount.number,
    fee: fee.number,
    transactionDate: timeOf(fields['transactionDate'], 'transactionDate'),
  };
  const cost = valueUsd(requested.plus(fee).minus(discount), currency);
  return {
    status: statusOf(fields['status']),
    providerId: String(result.transactionId),
    result,
    ...(cost !== null && { valueUsd: cost }),
  };
}
