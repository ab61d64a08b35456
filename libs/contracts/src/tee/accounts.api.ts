import { Flag, internalFeature, internalOperation, Text } from '@tollbridge/rpc';
import {
  AccountRequest,
  Cancellation,
  CancellationRequest,
  NanoBalance,
  NanoPayment,
  NanoStats,
  Policy,
  PolicyRequest,
  ReceiptRequest,
  StatsRequest,
} from '../nanopay/accounts.api';
import { AttestationReply, AttestationRequest } from '../nanopay/attestation.api';
import {
  Approval,
  ApprovalDecisionRequest,
  ApprovalsReply,
  ApprovalsRequest,
} from '../nanopay/approvals.api';

const isOwner = {
  description:
    'That the gateway knows the caller as the owner of the account, by an API key or session of his wallet',
  default: false,
  example: false,
};

export class PolicyOrder extends PolicyRequest {
  @Flag(isOwner)
  isOwner: boolean;
}

export class ApprovalOrder extends ApprovalDecisionRequest {
  @Flag({ description: 'Approved, or rejected', example: true })
  isApproved: boolean;
  @Text({
    description: 'The account that the gateway knows the caller to own, raw',
    optional: true,
    example: `0:${'ab'.repeat(32)}`,
  })
  owner?: string;
}

/** What the enclave tells and lets itself be told beside payments. */
export const teeAccountsApi = internalFeature('tee', 'accounts', {
  readBalance: internalOperation({
    summary: 'What stands in the ledger of an account',
    ...{ input: AccountRequest, output: NanoBalance, errors: [] },
  }),
  readStats: internalOperation({
    summary: 'What the ledger comes to',
    ...{ input: StatsRequest, output: NanoStats, errors: [] },
  }),
  readPayment: internalOperation({
    summary: 'A payment with its receipts',
    ...{ input: ReceiptRequest, output: NanoPayment, errors: ['NOT_FOUND'] },
  }),
  readPolicy: internalOperation({
    summary: 'The limits of an account',
    ...{ input: AccountRequest, output: Policy, errors: [] },
  }),
  writePolicy: internalOperation({
    summary: 'Set the limits of an account',
    ...{ input: PolicyOrder, output: Policy, errors: ['FORBIDDEN', 'CONFLICT', 'SERVICE_UNAVAILABLE'] },
  }),
  cancel: internalOperation({
    summary: 'See to it that what has a nonce is never charged',
    ...{
      input: CancellationRequest,
      output: Cancellation,
      errors: ['FORBIDDEN', 'CONFLICT', 'SERVICE_UNAVAILABLE'],
    },
  }),
  readApprovals: internalOperation({
    summary: 'Payments above the limits of their payers',
    ...{ input: ApprovalsRequest, output: ApprovalsReply, errors: [] },
  }),
  decideApproval: internalOperation({
    summary: 'Let one of them pass, or not',
    ...{
      input: ApprovalOrder,
      output: Approval,
      errors: ['NOT_FOUND', 'FORBIDDEN', 'CONFLICT', 'SERVICE_UNAVAILABLE'],
    },
  }),
  attest: internalOperation({
    summary: 'What the enclave says of itself',
    ...{
      input: AttestationRequest,
      output: AttestationReply,
      errors: ['RATE_LIMIT_EXCEEDED', 'SERVICE_UNAVAILABLE'],
    },
  }),
});
