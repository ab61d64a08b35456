// Reads and writes bills in the provider's protocol. Pure functions.
import { type Fields, readFields, readList } from '@tollbridge/http';
import type { Progress } from '../../../purchases/purchase';
import { valueUsd } from '../../amounts';
import type { AmountRules, Biller, BillResult, BillTerms, FixedAmount } from '../../bills/bill-provider';
import { Decimal, decimalNumber } from '@tollbridge/money';
import {
  decimalOf,
  flagOf,
  integerOf,
  optionalDecimal,
  optionalFields,
  optionalText,
  statusOf,
  textOf,
  timeOf,
} from './reloadly.fields';

export function readBiller(value: unknown): Biller {
  const fields = readFields(value, 'biller');
  const text = (name: string) => textOf(fields[name], name);
  const isFixed = text('denominationType') === 'FIXED';
  const local = readRules(fields, 'local', isFixed);
  const international = readRules(fields, 'international', isFixed);
  const rate = optionalDecimal(optionalFields(fields['fx'], 'fx')['rate'], 'rate');
  const number = (name: string) => optionalDecimal(fields[name], name)?.number ?? null;
  return {
    local,
    international,
    rate,
    shown: {
      id: integerOf(fields['id'], 'id'),
      name: text('name'),
      // Older replies use `countryCode`.
      countryCode: textOf(fields['countryIsoCode'] ?? fields['countryCode'], 'countryIsoCode'),
      type: text('type'),
      serviceType: text('serviceType'),
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

function readRules(
  fields: Readonly<Record<string, unknown>>,
  way: 'local' | 'international',
  isFixed: boolean,
): AmountRules {
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
  return readList(value, 'fixed amounts').map((item) => {
    const { id, amount } = readFields(item, 'fixed amount');
    return { id: integerOf(id, 'id'), amount: decimalOf(amount, 'amount') };
  });
}

export function toPaymentBody(terms: BillTerms, reference: string): object {
  const { billerId, subscriberAccountNumber, amount, useLocalAmount, amountId } = terms;
  return {
    billerId,
    subscriberAccountNumber,
    amount: decimalNumber(amount),
    useLocalAmount,
    referenceId: reference,
    ...(amountId !== null && { amountId }),
  };
}

/** A looked-up transaction is wrapped in a message; a listed one is not. */
export function transactionOf(item: unknown): Fields {
  const fields = readFields(item, 'payment');
  return fields['transaction'] === undefined ? fields : readFields(fields['transaction'], 'transaction');
}

/** The immediate reply to a payment contains no amounts. */
export function readAcceptedPayment(value: unknown): Progress<BillResult> {
  const fields = readFields(value, 'payment');
  const transactionId = integerOf(fields['id'], 'id');
  const submittedAt = timeOf(fields['submittedAt'], 'submittedAt');
  const result: BillResult = { transactionId, submittedAt, amountCurrencyCode: null, fee: null };
  return { status: statusOf(fields['status']), providerId: String(transactionId), result };
}

export function readPayment(value: unknown): Progress<BillResult> {
  const fields = transactionOf(value);
  const { result, ...accepted } = readAcceptedPayment(fields);
  const currency = optionalText(fields['amountCurrencyCode'], 3);
  const amount = decimalOf(fields['amount'], 'amount');
  const fee = optionalDecimal(fields['fee'], 'fee');
  const cost = valueUsd(fee && amount.plus(fee), currency);
  return {
    ...accepted,
    result: { ...result!, amountCurrencyCode: currency, fee: fee?.number ?? null },
    ...(cost !== null && { valueUsd: cost }),
  };
}
