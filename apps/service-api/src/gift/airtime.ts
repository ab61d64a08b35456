import { Injectable } from '@nestjs/common';
import type { PinDetail } from '@tollbridge/contracts';
import { decimalNumber } from '@tollbridge/money';
import type { Progress } from '../purchases/purchase';
import type { PurchaseKind } from '../purchases/purchase-kind';
import { valueUsd } from './amounts';
import { Decimal } from './decimal';
import { settleMs } from './gift-cards';
import { Reloadly, statusOf } from './reloadly/reloadly';
import {
  decimalOf,
  decimalOr,
  fieldsOf,
  integerOf,
  optionalDecimal,
  optionalFields,
  optionalText,
  secretOf,
  textOf,
  timeOf,
} from './reloadly/reloadly.fields';

export interface TopUpTerms {
  operatorId: number;
  /** Decimal text. */
  amount: string;
  useLocalAmount: boolean;
  countryCode: string;
  /** Digits, the country's in front. */
  phone: string;
}

/** As the provider tells a top-up, without the code that it may deliver. */
export interface TopUpResult {
  transactionId: number;
  operatorTransactionId: string | null;
  operatorId: number;
  operatorName: string;
  countryCode: string;
  requestedAmount: number;
  requestedAmountCurrencyCode: string;
  deliveredAmount: number | null;
  deliveredAmountCurrencyCode: string | null;
  discount: number;
  fee: number;
  transactionDate: string;
}

/** Credit of phones, as it is bought from the provider and found again. */
@Injectable()
export class Airtime implements PurchaseKind<TopUpTerms> {
  readonly kind = 'airtime';
  readonly spend = 'purchase';
  readonly settleMs = settleMs;

  constructor(private readonly reloadly: Reloadly) {}

  buy(terms: TopUpTerms, reference: string): Promise<Progress> {
    const { operatorId, amount, useLocalAmount, countryCode, phone } = terms;
    const recipientPhone = { countryCode, number: phone };
    const body = {
      ...{
        operatorId,
        amount: decimalNumber(amount),
        useLocalAmount,
        recipientPhone,
        customIdentifier: reference,
      },
    };
    const topUp = { api: 'topups', path: '/topups', body } as const;
    return this.reloadly.buy(topUp, progressOf, () => this.find(reference));
  }

  find(reference: string): Promise<Progress | undefined> {
    const request = { path: '/topups/reports/transactions', query: { customIdentifier: reference } };
    const referenceOf = (item: unknown) => fieldsOf(item, 'transaction')['customIdentifier'];
    return this.reloadly.find('topups', request, { reference, referenceOf, map: progressOf });
  }

  /** What some operators deliver instead of credit: straight from the provider for one reply, and kept nowhere. */
  async pinOf(transactionId: number): Promise<PinDetail | null> {
    const path = `/topups/reports/transactions/${transactionId}`;
    return this.reloadly.read('topups', { path }, (reply) =>
      readPin(fieldsOf(reply, 'transaction')['pinDetail'], 'code'),
    );
  }
}

/** @param name under which the code itself stands */
export function readPin(value: unknown, name: 'code' | 'token'): PinDetail | null {
  const fields = optionalFields(value, 'pin');
  const code = secretOf(fields[name], name);
  if (code === null) return null;
  const said = ['info1', 'info2', 'info3'].flatMap((info) => secretOf(fields[info], info) ?? []);
  return {
    code,
    serial: secretOf(fields['serial'], 'serial'),
    info: said.length > 0 ? said.join(' ') : null,
  };
}

function progressOf(value: unknown): Progress {
  const fields = fieldsOf(value, 'top-up');
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
    ...{ requestedAmount: requested.number, requestedAmountCurrencyCode: currency },
    deliveredAmount: optionalDecimal(fields['deliveredAmount'], 'deliveredAmount')?.number ?? null,
    deliveredAmountCurrencyCode: optionalText(fields['deliveredAmountCurrencyCode'], 3),
    ...{ discount: discount.number, fee: fee.number },
    transactionDate: timeOf(fields['transactionDate'], 'transactionDate'),
  };
  const cost = valueUsd(requested.plus(fee).minus(discount), currency);
  return {
    status: statusOf(fields['status']),
    providerId: String(result.transactionId),
    result: { ...result },
    ...(cost !== null && { valueUsd: cost }),
  };
}
