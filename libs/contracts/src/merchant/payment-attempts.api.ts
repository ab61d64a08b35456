import { internalFeature, internalOperation } from '@tollbridge/rpc';
import { Flag, OneOf, Secret, Timestamp, Unsigned } from '../decorators';
import { paymentIdExample } from './payment-states';
import { Id } from '../shared-fields';
import { TxHash } from '../pay-orders/fields';

export const attemptStates = ['asking', 'sent', 'failed', 'unknown'] as const;
export type AttemptState = (typeof attemptStates)[number];

/** The current attempt of a payer to pay a request. */
export class PaymentAttempt {
  @Id('Payment that it pays', { example: paymentIdExample }) payment_id: string;
  @OneOf(
    attemptStates,
    '`asking`: a wallet was asked and has not answered. `sent`: it sent a transaction that no block shows yet. `failed`: the chain shows that the transaction failed. `unknown`: the wallet did not answer in time, or the network does not show the transaction. During `asking` and `sent` the request must not be paid again',
    { example: 'sent' },
  )
  state: AttemptState;
  @TxHash('Transaction, once known', { nullable: true }) tx_hash: string | null;
  @Timestamp('When `asking` or `sent` ends without an answer', {
    nullable: true,
    example: '2026-11-20T12:02:00.000Z',
  })
  until: string | null;
}

export const attemptActions = ['ask', 'renew', 'decline', 'doubt', 'send'] as const;
export type AttemptAction = (typeof attemptActions)[number];

export class ChangeAttemptRequest {
  @Id('The payment', { example: paymentIdExample }) payment_id: string;
  @OneOf(
    attemptActions,
    '`ask`: before a wallet is asked. `renew`: while it has not answered. `decline`: it sent nothing. `doubt`: it may have sent something. `send`: it sent a transaction',
  )
  action: AttemptAction;
  @Secret('Random text of the tab that asks', { minLength: 16, maxLength: 64, example: 'c9b1f0a47d2e4c55' })
  holder: string;
  @Unsigned('Version of the order that the tab shows', { example: 1 }) version: number;
  @Flag('Whether the payer pays again after a warning', { example: false }) is_warned: boolean;
  @TxHash('Transaction that the wallet sent; absent where the wallet names none', {
    maxLength: 128,
    optional: true,
  })
  tx_hash?: string;
}

export const attemptOutcomes = ['held', 'busy', 'warn', 'closed', 'stale'] as const;
export type AttemptOutcome = (typeof attemptOutcomes)[number];

export class ChangeAttemptReply {
  @OneOf(
    attemptOutcomes,
    '`held`: done. `busy`: another attempt is in flight. `warn`: an earlier attempt may have paid. `closed`: there is nothing to pay. `stale`: the tab shows an old state',
  )
  outcome: AttemptOutcome;
}

/** Operations for the pages of the gateway. They ensure that only one wallet at a time pays a request. */
export const paymentAttemptsApi = internalFeature('merchant', 'payment-attempts', {
  changeAttempt: internalOperation({
    summary: 'Claim, renew, release or complete the attempt to pay a request',
    input: ChangeAttemptRequest,
    output: ChangeAttemptReply,
    errors: ['NOT_FOUND'],
  }),
});
