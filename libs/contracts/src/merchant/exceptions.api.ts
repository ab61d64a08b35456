import { Amount, feature, ListOf, merchantAuth, OneOf, operation, Text, Timestamp } from '@tollbridge/rpc';
import { Cursor, Limit, NextCursor, UsedLimit } from '../list-fields';
import { Address, ChainName, orderIdExample, TokenSymbol, txExample } from '../pay-orders/fields';

/**
 * - `partial`: less than the amount arrived
 * - `overpaid`: more than the amount arrived; `amount` is the part above it
 * - `excess`, `late`, `inactive`: a PayLink was paid beyond `maxPayments`, after its expiry, or while it was off
 * - `other_token`, `other_network`: the receiver was paid in another token, or on another network
 * - `plain_transfer`: an order with a payment contract was paid by a plain transfer
 * - `second_payment`: an order was paid once more after it was settled
 * - `refund`: money that arrived was returned, or is to be returned
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
 * - `completed`: the payment counts now, such as two parts that make the whole
 * - `reverted`: the chain dropped the transaction
 * - `returned`: the money was sent back
 * - `merchant`: the merchant closed it
 */
export const exceptionResolutions = ['completed', 'reverted', 'returned', 'merchant'] as const;
export type ExceptionResolution = (typeof exceptionResolutions)[number];

const id = { description: 'Id of the exception', format: 'uuid', example: orderIdExample };

export class PaymentException {
  @Text(id)
  id: string;
  @OneOf(exceptionKinds, {
    description: 'What is different from the payment that was asked for',
    example: 'partial',
  })
  kind: ExceptionKind;
  @OneOf(exceptionStatuses, { description: '`open` until it is resolved', example: 'open' })
  status: ExceptionStatus;
  @OneOf(exceptionResolutions, {
    description:
      '`completed`: the payment counts now. `reverted`: the chain dropped the transaction. `returned`: the money was sent back. `merchant`: you closed it. Null while it is open',
    nullable: true,
    example: null,
  })
  resolution: ExceptionResolution | null;
  @Text({
    description: 'PayLink that was paid; null for orders',
    format: 'uuid',
    nullable: true,
    example: orderIdExample,
  })
  paylink_id: string | null;
  @Text({
    description: 'Order that was paid; null for PayLinks',
    format: 'uuid',
    nullable: true,
    example: null,
  })
  order_id: string | null;
  @ChainName({ description: 'Network on which the money arrived: CAIP-2 identifier or short name' })
  network: string;
  @TokenSymbol({ description: 'Token that arrived: its symbol, or its contract where it is unknown' })
  token: string;
  @Amount({ description: 'Amount that the exception is about, smallest unit', example: '9900000' })
  amount: string;
  @Text({ description: 'Transaction', maxLength: 128, nullable: true, example: txExample })
  tx_hash: string | null;
  @Address({
    description: 'Sender; null where it is unknown',
    nullable: true,
    example: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  })
  payer: string | null;
  @Text({
    description: 'What happened, in words',
    maxLength: 1_000,
    example: 'The transaction pays 9.9 USDC; the PayLink asks for 10 USDC.',
  })
  reason: string;
  @Timestamp({ description: 'When it was recorded', example: '2026-11-28T12:00:00.000Z' })
  created_at: string;
  @Timestamp({ description: 'Time of the last change', example: '2026-11-28T12:00:00.000Z' })
  updated_at: string;
}

export class ExceptionsQuery {
  @OneOf(exceptionStatuses, { description: 'Only exceptions in this state', optional: true, example: 'open' })
  status?: ExceptionStatus;
  @OneOf(exceptionKinds, { description: 'Only exceptions of this kind', optional: true, example: 'partial' })
  kind?: ExceptionKind;
  @Limit(20)
  limit?: number;
  @Cursor({ format: 'uuid', example: orderIdExample })
  cursor?: string;
}

export class ExceptionsReply {
  @ListOf(() => PaymentException, { description: 'Newest first', maxItems: 100 })
  exceptions: PaymentException[];
  @UsedLimit(20)
  limit: number;
  @NextCursor()
  next_cursor: string | null;
}

export class ExceptionQuery {
  @Text(id)
  id: string;
}

export const exceptionsApi = feature('merchant', 'exceptions', 'Exceptions', {
  listExceptions: operation({
    method: 'GET',
    path: '/api/exceptions',
    summary: 'List money that arrived in another form than it was asked for',
    description:
      'Less or more than the amount, in parts, in another token or on another network, too late, or once too often. Each is also sent as the webhook `payment.exception`. Refund or deliver, then resolve it.',
    input: ExceptionsQuery,
    output: ExceptionsReply,
    errors: [],
    auth: merchantAuth('read'),
  }),
  resolveException: operation({
    method: 'POST',
    path: '/api/exceptions/{id}/resolve',
    summary: 'Close an exception that was dealt with',
    description: 'It moves no money. The call is idempotent: a resolved exception stays as it is.',
    input: ExceptionQuery,
    output: PaymentException,
    errors: ['NOT_FOUND'],
    auth: merchantAuth('write'),
  }),
});
