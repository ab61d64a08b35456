import { internalFeature, internalOperation } from '@tollbridge/rpc';
import { OneOf, Text } from '../decorators';
import { orderIdExample, TxHash } from './fields';

export const approvalTxStates = ['unseen', 'succeeded', 'failed'] as const;
export type ApprovalTxState = (typeof approvalTxStates)[number];

export class ApprovalQuery {
  @Text('Id of the order', { maxLength: 64, example: orderIdExample }) id: string;
  @TxHash('Transaction on the chain of the order', { maxLength: 128 }) tx_hash: string;
}

export class ApprovalReply {
  @OneOf(approvalTxStates, 'Whether a block has the transaction, and whether it succeeded', {
    example: 'succeeded',
  })
  state: ApprovalTxState;
}

export const submittedTxStates = ['unseen', 'pending', 'mined', 'paying', 'failed', 'unrelated'] as const;
export type SubmittedTxState = (typeof submittedTxStates)[number];

export class SubmittedReply {
  @OneOf(
    submittedTxStates,
    '`unseen`: no node has it. `pending`: a node has it, and no block. `mined`: a block has it, and no node shows whether it pays the order. `paying`: a block has it, and it pays the order. `failed`: it failed. `unrelated`: it succeeded and does not pay the order',
    { example: 'paying' },
  )
  state: SubmittedTxState;
}

/** State between the two transactions of a payment, for a page with the wallet on another device. */
export const approvalsApi = internalFeature('pay-orders', 'approvals', {
  approvalState: internalOperation({
    summary: 'Read whether the approval of a payment is in a block',
    input: ApprovalQuery,
    output: ApprovalReply,
    errors: ['NOT_FOUND', 'UPSTREAM_UNAVAILABLE'],
    isRead: true,
  }),
  submittedState: internalOperation({
    summary: 'Read what the chain shows of a transaction that was submitted for an order',
    input: ApprovalQuery,
    output: SubmittedReply,
    errors: ['NOT_FOUND', 'UPSTREAM_UNAVAILABLE'],
    isRead: true,
  }),
});
