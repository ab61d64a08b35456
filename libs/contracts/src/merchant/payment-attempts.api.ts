import { Flag, Integer, internalFeature, internalOperation, OneOf, Text, Timestamp } from '@tollbridge/rpc';
import { txExample } from '../pay-orders/fields';
import { paymentIdExample } from './payment-states';

export const attemptStates = ['asking', 'sent', 'failed', 'unknown'] as const;
export type AttemptState = (typeof attemptStates)[number];

/** The present attempt of a payer to pay a request. */
export class PaymentAttempt {
  @Text({ description: 'Payment that it pays', format: 'uuid', example: paymentIdExample })
  payment_id: string;
  @OneOf(attemptStates, {
    description:
      '`asking`: a wallet was asked and has not answered. `sent`: it sent a transaction that no block shows yet. `failed`: the chain shows that the transaction failed. `unknown`: the wallet did not answer in time, or the network does not show the transaction. During `asking` and `sent` the request must not be paid again',
    example: 'sent',
  })
  state: AttemptState;
  @Text({ description: 'Transaction, once known', nullable: true, example: txExample })
  tx_hash: string | null;
  @Timestamp({
    description: 'When `asking` or `sent` ends without an answer',
    nullable: true,
    example: '2026-11-20T12:02:00.000Z',
  })
  until: string | null;
}

export const attemptActions = ['ask', 'renew', 'decline', 'doubt', 'send'] as const;
export type AttemptAction = (typeof attemptActions)[number];

export class ChangeAttemptRequest {
  @Text({ description: 'The payment', format: 'uuid', example: paymentIdExample })
  payment_id: string;
  @OneOf(attemptActions, {
    description:
      '`ask`: before a wallet is asked. `renew`: while it has not answered. `decline`: it sent nothing. `doubt`: it may have sent something. `send`: it sent a transaction',
    example: 'ask',
  })
  action: AttemptAction;
  @Text({
    description: 'Random text of the tab that asks',
    isSecret: true,
    minLength: 16,
    maxLength: 64,
    example: 'c9b1f0a47d2e4c55',
  })
  holder: string;
  @Integer({ description: 'Version of the order that the tab shows', min: 0, example: 1 })
  version: number;
  @Flag({ description: 'Whether the payer pays again after a warning', example: false })
  is_warned: boolean;
  @Text({
    description: 'Transaction that the wallet sent; absent where the wallet names none',
    maxLength: 128,
    optional: true,
    example: txExample,
  })
  tx_hash?: string;
}

export const attemptOutcomes = ['held', 'busy', 'warn', 'closed', 'stale'] as const;
export type AttemptOutcome = (typeof attemptOutcomes)[number];

export class ChangeAttemptReply {
  @OneOf(attemptOutcomes, {
    description:
      '`held`: done. `busy`: another attempt is in flight. `warn`: an earlier attempt may have paid. `closed`: there is nothing to pay. `stale`: the tab shows an old state',
    example: 'held',
  })
  outcome: AttemptOutcome;
}

/** For the pages of the gateway: one wallet at a time pays a request. */
export const paymentAttemptsApi = internalFeature('merchant', 'payment-attempts', {
  changeAttempt: internalOperation({
    summary: 'Claim, renew, release or complete the attempt to pay a request',
    input: ChangeAttemptRequest,
    output: ChangeAttemptReply,
    errors: ['NOT_FOUND'],
  }),
});
