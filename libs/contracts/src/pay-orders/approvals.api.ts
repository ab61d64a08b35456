import { internalFeature, internalOperation, OneOf, Text } from '@tollbridge/rpc';
import { orderIdExample, txExample } from './fields';

export const approvalTxStates = ['unseen', 'succeeded', 'failed'] as const;
export type ApprovalTxState = (typeof approvalTxStates)[number];

export class ApprovalQuery {
  @Text({ description: 'Id of a direct order', maxLength: 64, example: orderIdExample })
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

/** What a page needs of the chain between the two transactions of a payment, where the wallet is on another device. */
export const approvalsApi = internalFeature('pay-orders', 'approvals', {
  approvalState: internalOperation({
    summary: 'Read whether the approval of a payment is in a block',
    input: ApprovalQuery,
    output: ApprovalReply,
    errors: ['NOT_FOUND', 'UPSTREAM_UNAVAILABLE'],
    isRead: true,
  }),
});
