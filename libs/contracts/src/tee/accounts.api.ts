import { internalFeature, internalOperation } from '@tollbridge/rpc';
import { Flag, Text } from '../decorators';
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

const IsOwner = () =>
  Flag(
    "Whether the gateway authenticated the caller as the account's owner, by an API key or session of the owner's wallet",
    { default: false, example: false },
  );

export class PolicyOrder extends PolicyRequest {
  @IsOwner() isOwner: boolean;
}

export class ApprovalOrder extends ApprovalDecisionRequest {
  @Flag('Approved, or rejected') isApproved: boolean;
  @Text('Account that the gateway authenticated the caller for, raw form', {
    optional: true,
    example: `0:${'ab'.repeat(32)}`,
  })
  owner?: string;
}

/** Reads and settings of the payment ledger, without payments. */
export const teeAccountsApi = internalFeature('tee', 'accounts', {
  readBalance: internalOperation({
    summary: 'Read the ledger balances of an account',
    input: AccountRequest,
    output: NanoBalance,
  }),
  readStats: internalOperation({
    summary: 'Read the totals of the ledger',
    input: StatsRequest,
    output: NanoStats,
  }),
  readPayment: internalOperation({
    summary: 'Read a payment with its receipts',
    input: ReceiptRequest,
    output: NanoPayment,
    errors: ['NOT_FOUND'],
  }),
  readPolicy: internalOperation({
    summary: 'Read the limits of an account',
    input: AccountRequest,
    output: Policy,
  }),
  writePolicy: internalOperation({
    summary: 'Set the limits of an account',
    input: PolicyOrder,
    output: Policy,
    errors: ['FORBIDDEN', 'CONFLICT', 'SERVICE_UNAVAILABLE'],
  }),
  cancel: internalOperation({
    summary: 'Cancel a nonce: it will never be charged',
    input: CancellationRequest,
    output: Cancellation,
    errors: ['FORBIDDEN', 'CONFLICT', 'SERVICE_UNAVAILABLE'],
  }),
  readApprovals: internalOperation({
    summary: 'List payments above the limits of their payers',
    input: ApprovalsRequest,
    output: ApprovalsReply,
  }),
  decideApproval: internalOperation({
    summary: 'Approve or reject a payment above the limit',
    input: ApprovalOrder,
    output: Approval,
    errors: ['NOT_FOUND', 'FORBIDDEN', 'CONFLICT', 'SERVICE_UNAVAILABLE'],
  }),
  attest: internalOperation({
    summary: 'Read the attestation of the payment ledger',
    input: AttestationRequest,
    output: AttestationReply,
    errors: ['RATE_LIMIT_EXCEEDED', 'SERVICE_UNAVAILABLE'],
  }),
});
