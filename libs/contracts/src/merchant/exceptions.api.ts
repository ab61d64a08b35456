import { feature, merchantAuth, operation } from '@tollbridge/rpc';
import { Amount, ListOf, OneOf, Text, Timestamp } from '../decorators';
import { Cursor, Limit, NextCursor, UsedLimit } from '../list-fields';
import { Address, ChainName, orderIdExample, payerExample, TokenSymbol, TxHash } from '../pay-orders/fields';
import { Id, idExample } from '../shared-fields';

/**
 * - `partial`: the payment is below the amount
 * - `overpaid`: the payment is above the amount; `amount` is the difference
 * - `excess`, `late`, `inactive`: a PayLink payment beyond `maxPayments`, after its expiry, or while it was inactive
 * - `other_token`, `other_network`: a payment to the receiver in another token, or on another network
 * - `plain_transfer`: a plain transfer for an order with a payment contract
 * - `second_payment`: a further payment for a settled order
 * - `refund`: received money that was returned, or must be returned
 */
export const exceptionKinds = [
  'partial',
  'overpaid',
  'excess',
  'late',
  'inactive',
  'other_token',
  'other_network',
  'plain_transfer',
  'second_payment',
  'refund',
] as const;
export type ExceptionKind = (typeof exceptionKinds)[number];

export const exceptionStatuses = ['open', 'resolved'] as const;
export type ExceptionStatus = (typeof exceptionStatuses)[number];

/**
 * - `completed`: the payment counts now, for example after a second partial payment
 * - `reverted`: the chain dropped the transaction
 * - `returned`: the money was sent back
 * - `merchant`: the merchant closed the exception
 */
export const exceptionResolutions = ['completed', 'reverted', 'returned', 'merchant'] as const;
export type ExceptionResolution = (typeof exceptionResolutions)[number];

const ExceptionId = () => Id('Id of the exception');

export class PaymentException {
  @ExceptionId() id: string;
  @OneOf(exceptionKinds, 'What is different from the payment that was asked for')
  kind: ExceptionKind;
  @OneOf(exceptionStatuses, '`open` until it is resolved') status: ExceptionStatus;
  @OneOf(
    exceptionResolutions,
    '`completed`: the payment counts now. `reverted`: the chain dropped the transaction. `returned`: the money was sent back. `merchant`: you closed it. Null while it is open',
    { nullable: true },
  )
  resolution: ExceptionResolution | null;
  @Id('PayLink that was paid; null for orders', { nullable: true, example: idExample })
  paylink_id: string | null;
  @Id('Order that was paid; null for PayLinks', { nullable: true }) order_id: string | null;
  @ChainName('Network that the money arrived on: CAIP-2 identifier or short name') network: string;
  @TokenSymbol('Token that arrived: its symbol, or its contract where it is unknown') token: string;
  @Amount('Amount that the exception is about, smallest unit', { example: '9900000' }) amount: string;
  @TxHash('Transaction', { maxLength: 128, nullable: true }) tx_hash: string | null;
  @Address('Sender; null where it is unknown', { nullable: true, example: payerExample })
  payer: string | null;
  @Text('What happened, in words', {
    maxLength: 1_000,
    example: 'The transaction pays 9.9 USDC; the PayLink asks for 10 USDC.',
  })
  reason: string;
  @Timestamp('When it was recorded', { example: '2026-11-28T12:00:00.000Z' }) created_at: string;
  @Timestamp('Time of the last change', { example: '2026-11-28T12:00:00.000Z' }) updated_at: string;
}

export class ExceptionsQuery {
  @OneOf(exceptionStatuses, 'Only exceptions in this state', { optional: true }) status?: ExceptionStatus;
  @OneOf(exceptionKinds, 'Only exceptions of this kind', { optional: true }) kind?: ExceptionKind;
  @Limit(20) limit?: number;
  @Cursor({ format: 'uuid', example: orderIdExample }) cursor?: string;
}

export class ExceptionsReply {
  @ListOf(() => PaymentException, 'Newest first', { maxItems: 100 }) exceptions: PaymentException[];
  @UsedLimit(20) limit: number;
  @NextCursor() next_cursor: string | null;
}

export class ExceptionQuery {
  @ExceptionId() id: string;
}

export const exceptionsApi = feature('merchant', 'exceptions', 'Exceptions', {
  listExceptions: operation('GET /api/exceptions', {
    summary: 'List payments that differ from what was requested',
    description:
      'Less or more than the amount, in parts, in another token or on another network, too late, or once too often. Each is also sent as the webhook `payment.exception`. Refund or deliver, then resolve it.',
    input: ExceptionsQuery,
    output: ExceptionsReply,
    auth: merchantAuth('read'),
  }),
  resolveException: operation('POST /api/exceptions/{id}/resolve', {
    summary: 'Close an exception that was dealt with',
    description: 'It moves no money. The call is idempotent: a resolved exception stays as it is.',
    input: ExceptionQuery,
    output: PaymentException,
    errors: ['NOT_FOUND'],
    auth: merchantAuth('write'),
  }),
});
