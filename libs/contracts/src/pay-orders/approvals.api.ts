import { internalFeature, internalOperation, OneOf, Text } from '@tollbridge/rpc';
import { orderIdExample, txExample } from './fields';

export const approvalTxStates = ['unseen', 'succeeded', 'failed'] as const;
export type ApprovalTxState = (typeof approvalTxStates)[number];

export class ApprovalQuery {
  @Text({ description: 'Id of the order', maxLength: 64, example: orderIdExample })
  id: string;
  @Text({ description: 'Transaction on the chain of the order', maxLength: 128, example: txExample })
  tx_hash: string;
}

export class ApprovalReply {
  @OneOf(approvalTxStates, {
    description: 'Whether a block has the transaction, and whether it succeeded',
    example: 'succeeded',
  })
  state: ApprovalTxState;
}

export const submittedTxStates = ['unseen', 'pending', 'paying', 'failed', 'unrelated'] as const;
export type SubmittedTxState = (typeof submittedTxStates)[number];

export class SubmittedReply {
  @OneOf(submittedTxStates, {
    description:
      '`unseen`: no node has it. `pending`: a node has it, and no block. `paying`: a block has it, and it pays the order. `failed`: it failed. `unrelated`: it succeeded and does not pay the order',
    example: 'paying',
  })
  state: SubmittedTxState;
}

/** What a page needs of the chain between the two transactions of a payment, where the wallet is on another device. */
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
