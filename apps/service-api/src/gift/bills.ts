import { Injectable } from '@nestjs/common';
import type { PinDetail } from '@tollbridge/contracts';
import { decimalNumber } from '@tollbridge/money';
import type { Progress } from '../purchases/purchase';
import type { PurchaseKind } from '../purchases/purchase-kind';
import { readPin } from './airtime';
import { valueUsd } from './amounts';
import { settleMs } from './gift-cards';
import { Reloadly, statusOf } from './reloadly/reloadly';
import {
  decimalOf,
  fieldsOf,
  integerOf,
  optionalDecimal,
  optionalFields,
  optionalText,
  timeOf,
  type Fields,
} from './reloadly/reloadly.fields';

export interface BillTerms {
  billerId: number;
  subscriberAccountNumber: string;
  /** Decimal text. */
  amount: string;
  useLocalAmount: boolean;
  /** Of a fixed amount; null for all others. */
  amountId: number | null;
}

/** As the provider tells a payment, without the token that it may deliver. */
export interface BillResult {
  transactionId: number;
  /** Both are told only once it is looked up. */
  amountCurrencyCode: string | null;
  fee: number | null;
  submittedAt: string;
}

/** Bills of utilities, as they are paid by the provider and found again. */
@Injectable()
export class Bills implements PurchaseKind<BillTerms> {
  readonly kind = 'bill';
  readonly spend = 'purchase';
  readonly settleMs = settleMs;

  constructor(private readonly reloadly: Reloadly) {}

  buy(terms: BillTerms, reference: string): Promise<Progress> {
    const { billerId, subscriberAccountNumber, amount, useLocalAmount, amountId } = terms;
    const body = {
      ...{
        billerId,
        subscriberAccountNumber,
        amount: decimalNumber(amount),
        useLocalAmount,
        referenceId: reference,
      },
      ...(amountId !== null && { amountId }),
    };
    const payment = { api: 'utilities', path: '/pay', body } as const;
    return this.reloadly.buy(payment, takenOf, () => this.find(reference));
  }

  find(reference: string): Promise<Progress | undefined> {
    const request = { path: '/transactions', query: { referenceId: reference } };
    const referenceOf = (item: unknown) => transactionOf(item)['referenceId'];
    return this.reloadly.find('utilities', request, { reference, referenceOf, map: progressOf });
  }

  /** What charges a meter: straight from the provider for one reply, and kept nowhere. */
  async tokenOf(transactionId: number): Promise<PinDetail | null> {
    return this.reloadly.read('utilities', { path: `/transactions/${transactionId}` }, (reply) => {
      const details = optionalFields(transactionOf(reply)['billDetails'], 'billDetails');
      return readPin(details['pinDetails'], 'token');
    });
  }
}

/** Looked up, a transaction is wrapped in what is said of it. */
function transactionOf(item: unknown): Fields {
  const fields = fieldsOf(item, 'payment');
  return fields['transaction'] === undefined ? fields : fieldsOf(fields['transaction'], 'transaction');
}

/** What is answered at once says little more than that it was taken. */
function takenOf(value: unknown): Progress {
  const fields = fieldsOf(value, 'payment');
  const transactionId = integerOf(fields['id'], 'id');
  const submittedAt = timeOf(fields['submittedAt'], 'submittedAt');
  const result: BillResult = { transactionId, submittedAt, amountCurrencyCode: null, fee: null };
  return { status: statusOf(fields['status']), providerId: String(transactionId), result: { ...result } };
}

function progressOf(value: unknown): Progress {
  const fields = transactionOf(value);
  const taken = takenOf(fields);
  const currency = optionalText(fields['amountCurrencyCode'], 3);
  const amount = decimalOf(fields['amount'], 'amount');
  const fee = optionalDecimal(fields['fee'], 'fee');
  const cost = valueUsd(fee && amount.plus(fee), currency);
  return {
    ...taken,
    result: { ...taken.result, amountCurrencyCode: currency, fee: fee?.number ?? null },
    ...(cost !== null && { valueUsd: cost }),
  };
}
