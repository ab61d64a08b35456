import {
  Amount,
  feature,
  type HttpMethod,
  Integer,
  ListOf,
  Nested,
  OneOf,
  operation,
  Text,
  Timestamp,
} from '@tollbridge/rpc';
import { Limit, UsedLimit } from '../list-fields';
import { OwnerProof } from './accounts.api';
import { HexBytes, TonAccount } from './fields';

export const approvalStates = ['pending', 'approved', 'rejected', 'used', 'expired'] as const;
export type ApprovalState = (typeof approvalStates)[number];

/** A payment above the limit of its payer. */
export class Approval {
  @HexBytes(16, { description: 'Id of the approval', example: 'c0ffee00112233445566778899aabbcc' })
  id: string;
  @TonAccount({ description: 'Account of the payer, who decides; raw form' })
  from: string;
  @TonAccount({ description: 'Account of the seller, raw form' })
  to: string;
  @Amount({ description: 'Amount', example: '7000000' })
  amount: string;
  @Text({ description: 'Symbol of the asset', example: 'USDT' })
  asset: string;
  @HexBytes(32, {
    description: 'Hash of the resource that the payment is bound to; zeros when it is bound to none',
  })
  resource: string;
  @OneOf(approvalStates, {
    description: 'Status. An approved payment may be made once, within ten minutes',
    example: 'pending',
  })
  status: ApprovalState;
  @Timestamp({ description: 'Request time', example: '2026-11-22T12:00:00.000Z' })
  createdAt: string;
  @Timestamp({
    description: 'Deadline for the decision, or for the approved payment',
    example: '2026-11-22T12:05:00.000Z',
  })
  expiresAt: string;
}

export class ApprovalsRequest {
  @OneOf(approvalStates, {
    description: 'Only approvals with this status',
    optional: true,
    example: 'pending',
  })
  status?: ApprovalState;
  @TonAccount({ description: 'Only approvals of this payer', optional: true })
  address?: string;
  @Limit(20)
  limit: number;
}

export class ApprovalsReply {
  @ListOf(() => Approval, { description: 'Newest first', maxItems: 100 })
  approvals: Approval[];
  @Integer({ description: 'Number of items in this list', min: 0, example: 1 })
  count: number;
  @UsedLimit(20)
  limit: number;
}

export class ApprovalDecisionRequest {
  @HexBytes(16, { description: 'Id of the approval', example: 'c0ffee00112233445566778899aabbcc' })
  id: string;
  @Nested(() => OwnerProof, {
    description:
      'Signature of the payer (message type 5). Not needed with an API key or session of the same wallet',
    optional: true,
  })
  proof?: OwnerProof;
}

const decision = (verb: 'approve' | 'reject', description: string) =>
  operation({
    operationId: `${verb}NanoPayment`,
    method: 'POST' as HttpMethod,
    path: `/approvals/{id}/${verb}` as const,
    auth: 'public' as const,
    summary: `${verb === 'approve' ? 'Approve' : 'Reject'} a payment above the limit of its payer`,
    description,
    input: ApprovalDecisionRequest,
    output: Approval,
    errors: ['NOT_FOUND', 'FORBIDDEN', 'CONFLICT'] as const,
  });

export const nanoApprovalsApi = feature('nanopay', 'approvals', 'Nano-payments', {
  listApprovals: operation({
    operationId: 'listNanoPaymentApprovals',
    method: 'GET',
    path: '/approvals',
    auth: 'public',
    summary: 'List payments that wait for approval, and past decisions',
    input: ApprovalsRequest,
    output: ApprovalsReply,
    errors: [],
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
