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

/** A payment above the limit of its owner. */
export class Approval {
  @HexBytes(16, { description: 'Its name', example: 'c0ffee00112233445566778899aabbcc' })
  id: string;
  @TonAccount({ description: 'Who is to pay, and decides; raw' })
  from: string;
  @TonAccount({ description: 'Who is to be paid, raw' })
  to: string;
  @Amount({ description: 'How much', example: '7000000' })
  amount: string;
  @Text({ description: 'Symbol of the asset', example: 'USDT' })
  asset: string;
  @HexBytes(32, {
    description: 'Hash of the resource that the payment is bound to; zeros where it is bound to none',
  })
  resource: string;
  @OneOf(approvalStates, {
    description: 'An approved one may be used once, within ten minutes',
    example: 'pending',
  })
  status: ApprovalState;
  @Timestamp({ description: 'When it was asked for', example: '2026-11-22T12:00:00.000Z' })
  createdAt: string;
  @Timestamp({ description: 'Until when it can be decided, or used', example: '2026-11-22T12:05:00.000Z' })
  expiresAt: string;
}

export class ApprovalsRequest {
  @OneOf(approvalStates, { description: 'Only those of this state', optional: true, example: 'pending' })
  status?: ApprovalState;
  @TonAccount({ description: 'Only those of this payer', optional: true })
  address?: string;
  @Limit(20)
  limit: number;
}

export class ApprovalsReply {
  @ListOf(() => Approval, { description: 'The newest first', maxItems: 100 })
  approvals: Approval[];
  @Integer({ description: 'How many are in this list', min: 0, example: 1 })
  count: number;
  @UsedLimit(20)
  limit: number;
}

export class ApprovalDecisionRequest {
  @HexBytes(16, { description: 'The approval', example: 'c0ffee00112233445566778899aabbcc' })
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
    ...{ method: 'POST' as HttpMethod, path: `/approvals/{id}/${verb}` as const, auth: 'public' as const },
    ...{ summary: `${verb === 'approve' ? 'Approve' : 'Reject'} a payment above your limit`, description },
    ...{
      input: ApprovalDecisionRequest,
      output: Approval,
      errors: ['NOT_FOUND', 'FORBIDDEN', 'CONFLICT'] as const,
    },
  });

export const nanoApprovalsApi = feature('nanopay', 'approvals', 'Nano-payments', {
  listApprovals: operation({
    operationId: 'listNanoPaymentApprovals',
    ...{ method: 'GET', path: '/approvals', auth: 'public' },
    summary: 'List payments that wait for their payer, and the decisions on them',
    ...{ input: ApprovalsRequest, output: ApprovalsReply, errors: [] },
  }),
  approvePayment: decision(
    'approve',
    'The buyer repeats his request within ten minutes, and it passes once.',
  ),
  rejectPayment: decision(
    'reject',
    'The buyer is refused until the question is forgotten, five minutes after it was put.',
  ),
});
