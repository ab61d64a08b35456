import { feature, operation } from '@tollbridge/rpc';
import { Amount, ListOf, Nested, OneOf, Text, Timestamp, Unsigned } from '../decorators';
import { Limit, UsedLimit } from '../list-fields';
import { OwnerProof } from './accounts.api';
import { HexBytes, TonAccount } from './fields';

export const approvalStates = ['pending', 'approved', 'rejected', 'used', 'expired'] as const;
export type ApprovalState = (typeof approvalStates)[number];

/** A payment above the limit of its payer, which needs an approval. */
export class Approval {
  @HexBytes(16, 'Id of the approval', { example: 'c0ffee00112233445566778899aabbcc' }) id: string;
  @TonAccount('Account of the payer, who decides; raw form') from: string;
  @TonAccount('Account of the seller, raw form') to: string;
  @Amount('Amount', { example: '7000000' }) amount: string;
  @Text('Symbol of the asset', { example: 'USDT' }) asset: string;
  @HexBytes(32, 'Hash of the resource that the payment is bound to; zeros when it is bound to none')
  resource: string;
  @OneOf(approvalStates, 'Status. An approved payment may be made once, within ten minutes')
  status: ApprovalState;
  @Timestamp('Request time', { example: '2026-11-22T12:00:00.000Z' }) createdAt: string;
  @Timestamp('Deadline for the decision, or for the approved payment', {
    example: '2026-11-22T12:05:00.000Z',
  })
  expiresAt: string;
}

export class ApprovalsRequest {
  @OneOf(approvalStates, 'Only approvals with this status', { optional: true }) status?: ApprovalState;
  @TonAccount('Only approvals of this payer', { optional: true }) address?: string;
  @Limit(20) limit: number;
}

export class ApprovalsReply {
  @ListOf(() => Approval, 'Newest first', { maxItems: 100 }) approvals: Approval[];
  @Unsigned('Number of items in this list', { example: 1 }) count: number;
  @UsedLimit(20) limit: number;
}

export class ApprovalDecisionRequest {
  @HexBytes(16, 'Id of the approval', { example: 'c0ffee00112233445566778899aabbcc' }) id: string;
  @Nested(
    () => OwnerProof,
    'Signature of the payer (message type 5). Not needed with an API key or session of the same wallet',
    { optional: true },
  )
  proof?: OwnerProof;
}

const decision = (verb: 'approve' | 'reject', description: string) =>
  operation(`POST /approvals/{id}/${verb}`, {
    operationId: `${verb}NanoPayment`,
    auth: 'public',
    summary: `${verb === 'approve' ? 'Approve' : 'Reject'} a payment above the limit of its payer`,
    description,
    input: ApprovalDecisionRequest,
    output: Approval,
    errors: ['NOT_FOUND', 'FORBIDDEN', 'CONFLICT'],
  });

export const nanoApprovalsApi = feature('nanopay', 'approvals', 'Nano-payments', {
  listApprovals: operation('GET /approvals', {
    operationId: 'listNanoPaymentApprovals',
    auth: 'public',
    summary: 'List payments that wait for approval, and past decisions',
    input: ApprovalsRequest,
    output: ApprovalsReply,
  }),
  approvePayment: decision(
    'approve',
    'The buyer repeats the request within ten minutes, and it succeeds once.',
  ),
  rejectPayment: decision(
    'reject',
    "The buyer's requests are rejected until the approval expires, five minutes after it was requested.",
  ),
});
