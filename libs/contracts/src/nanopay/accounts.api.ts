import {
  Amount,
  feature,
  Figure,
  Integer,
  ListOf,
  merchantAuth,
  Nested,
  OneOf,
  operation,
  Text,
  Timestamp,
} from '@tollbridge/rpc';
import { Cursor, Limit, NextCursor, UsedLimit } from '../list-fields';
import { ConfirmationId, HexBytes, maxNanoAmount, SecondsText, Sum, TonAccount } from './fields';

export class AccountRequest {
  @TonAccount({ description: 'TON account' })
  address: string;
}

/** All sums in the smallest unit of the asset. */
export class NanoBalance {
  @TonAccount({ description: 'Account, raw form' })
  address: string;
  @Text({ description: 'Symbol of the asset', example: 'USDT' })
  asset: string;
  @Sum('Available balance')
  available: string;
  @Sum('Held for payments in progress', '0')
  reserved: string;
  @Sum('Total paid')
  spent: string;
  @Sum('Total earned as a seller', '0')
  earned: string;
  @Sum('Earnings that were paid out, final on the chain', '0')
  settled: string;
  @Sum('Earnings that are still to be paid out', '0')
  unsettled: string;
  @Sum('Total deposited', '2000')
  deposited: string;
  @Sum('Total withdrawn, final on the chain', '0')
  withdrawn: string;
  @Sum('Same as deposited', '2000')
  totalDeposited: string;
  @Sum('Same as spent')
  totalSpent: string;
  @Timestamp({
    description: 'Time of the last change; for an unused account the current time',
    example: '2026-11-22T12:00:00.000Z',
  })
  updatedAt: string;
}

/** A signature by the account's owner over a message of `docs/nano-payments.md`. */
export class OwnerSignature {
  @Text({
    description: 'Signature: 128 hexadecimal digits, or base64',
    maxLength: 128,
    example: 'a1'.repeat(64),
  })
  signature: string;
  @SecondsText({ description: 'Expiry of the signed message, Unix seconds; at most ten minutes from now' })
  validBefore: string;
  @HexBytes(32, { description: "Public key; required until the account's first payment", optional: true })
  publicKey?: string;
  @Text({
    description: 'State-init of the wallet, base64; required for wallets other than W5',
    optional: true,
    maxLength: 5_464,
    example: 'te6cckEC…',
  })
  stateInit?: string;
  @OneOf(['raw', 'tonconnect'], { description: 'Signing method', default: 'raw', example: 'raw' })
  signatureKind: 'raw' | 'tonconnect';
  @Text({
    description: 'With a wallet dialog: its domain',
    optional: true,
    maxLength: 127,
    example: 'pay.example.com',
  })
  domain?: string;
  @SecondsText({ description: 'With a wallet dialog: its time', optional: true })
  timestamp?: string;
}

/** The same, over a message that is valid once. */
export class OwnerProof extends OwnerSignature {
  @HexBytes(32, { description: 'Random nonce, for one use' })
  nonce: string;
}

const maxAmount = {
  description: 'Largest payment without approval; 0 requires approval for every payment',
  allowZero: true,
  max: maxNanoAmount,
  example: '5000000',
};
const rateLimit = { description: 'Payments per minute', min: 0, max: 1_000_000, example: 60 };

export class PolicyRequest {
  @TonAccount({ description: 'Account to limit' })
  address: string;
  @Amount(maxAmount)
  maxAmount: string;
  @Integer(rateLimit)
  rateLimit: number;
  @Nested(() => OwnerProof, {
    description:
      'Signature of the owner (message type 4). Not required while the account has neither key nor balance, or with an API key or session of the same wallet',
    optional: true,
  })
  proof?: OwnerProof;
}

export class Policy {
  @TonAccount({ description: 'Account to limit, raw form' })
  address: string;
  @Text({
    description: 'Largest payment without approval; null means no limit',
    nullable: true,
    example: '5000000',
  })
  maxAmount: string | null;
  @Integer({ ...rateLimit, description: 'Payments per minute; null means no limit', nullable: true })
  rateLimit: number | null;
  @Timestamp({
    description: 'Time when the policy was set; null for the default policy',
    nullable: true,
    example: '2026-11-22T12:00:00.000Z',
  })
  updatedAt: string | null;
}

/** A receipt that the payment ledger signed. */
export class NanoReceipt {
  @ConfirmationId()
  confirmationId: string;
  @OneOf(['charge', 'refund'], { description: 'Charge or refund', example: 'charge' })
  type: 'charge' | 'refund';
  @HexBytes(32, { description: 'SHA-256 of the message that the buyer signed' })
  digest: string;
  @Amount({ description: 'Charged or refunded amount', example: '1000' })
  amount: string;
  @Text({ description: 'Sequence number in the receipt chain', example: '1041' })
  seq: string;
  @HexBytes(32, { description: 'Head of the chain before this receipt' })
  previousHead: string;
  @Text({ description: 'Time, Unix milliseconds', example: '1795348800123' })
  timestampMs: string;
  @Text({ description: 'Signature of the payment ledger, base64', maxLength: 88, example: 'iMPk…' })
  signature: string;
}

export class ReceiptRequest {
  @ConfirmationId()
  id: string;
}

export class NanoPayment {
  @ConfirmationId()
  confirmationId: string;
  @OneOf(['held', 'captured', 'voided', 'expired'], { description: 'Status', example: 'captured' })
  status: 'held' | 'captured' | 'voided' | 'expired';
  @TonAccount({ description: 'Account of the payer, raw form' })
  from: string;
  @TonAccount({ description: 'Account of the seller, raw form' })
  to: string;
  @Amount({ description: 'Signed amount', example: '1000' })
  amount: string;
  @Sum('Charged amount')
  chargedAmount: string;
  @Nested(() => NanoReceipt, {
    description: 'Receipt of the charge; null without one',
    nullable: true,
  })
  receipt: NanoReceipt | null;
  @Nested(() => NanoReceipt, {
    description: 'Receipt of the refund; null without one',
    nullable: true,
  })
  refund: NanoReceipt | null;
}

export class StatsRequest {}

export class LedgerPosition {
  @Text({ description: 'Number of receipts', example: '1041' })
  seq: string;
  @HexBytes(32, { description: 'Head of the receipt chain' })
  head: string;
}

export class NanoStats {
  @Text({ description: 'Payments charged since the start of the ledger', example: '1041' })
  payments: string;
  @Sum('Sum of those payments')
  volume: string;
  @Integer({ description: 'Accounts in the ledger', min: 0, example: 12 })
  accounts: number;
  @Sum('Earnings of sellers that are still to be paid out')
  pendingSettlement: string;
  @Integer({ description: 'Payments that wait for approval', min: 0, example: 0 })
  pendingApprovals: number;
  @Integer({ description: 'Payments rejected since the payment ledger started', min: 0, example: 3 })
  rejected: number;
  @Figure({
    description: 'Median processing time of the last thousand payments, milliseconds',
    example: 1.9,
  })
  p50Ms: number;
  @Figure({ description: '99th percentile of the processing time, milliseconds', example: 6.2 })
  p99Ms: number;
  @Nested(() => LedgerPosition, { description: 'State of the receipt chain' })
  ledger: LedgerPosition;
  @Integer({ description: 'Seconds since the payment ledger started', min: 0, example: 3600 })
  uptimeSeconds: number;
}

export class WithdrawalRequest {
  @TonAccount({ description: 'Account to withdraw from' })
  address: string;
  @TonAccount({ description: 'TON account that receives the money', receivesMoney: true })
  destination: string;
  @Amount({ description: 'Amount', max: maxNanoAmount, example: '1000000' })
  amount: string;
  @Nested(() => OwnerProof, { description: 'Signature of the owner (message type 6)' })
  proof: OwnerProof;
}

export const withdrawalStates = ['pending', 'sent', 'completed', 'returned'] as const;

export class Withdrawal {
  @Text({
    description: 'Id of the withdrawal',
    format: 'uuid',
    example: '0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d',
  })
  withdrawalId: string;
  @OneOf(withdrawalStates, {
    description:
      "Status. `completed`: the chain sent it. `returned`: the destination's wallet rejected it, and the amount is back in the balance",
    example: 'pending',
  })
  status: (typeof withdrawalStates)[number];
  @TonAccount({ description: 'Account withdrawn from, raw form' })
  address: string;
  @TonAccount({ description: 'Destination account, raw form' })
  destination: string;
  @Amount({ description: 'Amount', example: '1000000' })
  amount: string;
  @Timestamp({ description: 'Request time', example: '2026-11-22T12:00:00.000Z' })
  createdAt: string;
}

export class CancellationRequest {
  @TonAccount({ description: 'Account that signed the payment or session grant' })
  address: string;
  @HexBytes(32, { description: 'Nonce of the payment, or of the session grant' })
  nonce: string;
  @Nested(() => OwnerSignature, { description: 'Signature of the owner (message type 7)' })
  proof: OwnerSignature;
}

export class Cancellation {
  @TonAccount({ description: 'Account, raw form' })
  address: string;
  @HexBytes(32, { description: 'Cancelled nonce' })
  nonce: string;
  @OneOf(['cancelled'], { description: 'Always true', example: 'cancelled' })
  status: 'cancelled';
}

export class WithdrawalLookup {
  @Text({ description: 'Id of the payment', format: 'uuid', example: '0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d' })
  id: string;
}

export class WithdrawalsQuery {
  @Limit(20)
  limit?: number;
  @Cursor({ maxLength: 128, example: 'MTc2MzY0MDAwMDAwMC45YTNkMWM0NA' })
  cursor?: string;
}

export class WithdrawalsReply {
  @ListOf(() => Withdrawal, { description: 'Newest first', maxItems: 100 })
  withdrawals: Withdrawal[];
  @UsedLimit(20)
  limit: number;
  @NextCursor()
  next_cursor: string | null;
}

export const nanoAccountsApi = feature('nanopay', 'accounts', 'Nano-payments', {
  getNanoBalance: operation({
    operationId: 'getNanoPaymentBalance',
    method: 'GET',
    path: '/balance/{address}',
    auth: 'public',
    summary: 'Read the balance and totals of an account',
    description: 'An unknown account has zeros.',
    input: AccountRequest,
    output: NanoBalance,
    errors: [],
  }),
  getNanoStats: operation({
    operationId: 'getNanoPaymentStats',
    method: 'GET',
    path: '/stats',
    auth: 'public',
    summary: 'Read payment totals and processing times',
    description: 'At most one second old.',
    input: StatsRequest,
    output: NanoStats,
    errors: [],
  }),
  setPolicy: operation({
    operationId: 'setNanoPaymentPolicy',
    method: 'POST',
    path: '/policy',
    auth: 'public',
    summary: 'Set the payment limits of an account',
    description:
      'A payment above `maxAmount` waits for approval; payments above `rateLimit` are rejected. Authorised by a signature of the owner, or by an API key or session of the same wallet. Any client may limit an account that has neither key nor balance.',
    input: PolicyRequest,
    output: Policy,
    errors: ['FORBIDDEN', 'CONFLICT'],
  }),
  getPolicy: operation({
    operationId: 'getNanoPaymentPolicy',
    method: 'GET',
    path: '/policy/{address}',
    auth: 'public',
    summary: 'Read the limits of an account',
    input: AccountRequest,
    output: Policy,
    errors: [],
  }),
  cancelPayment: operation({
    operationId: 'cancelNanoPayment',
    method: 'POST',
    path: '/cancel',
    auth: 'public',
    summary: 'Cancel a payment or session grant',
    description:
      'Signed by the owner. The nonce will never be charged again, and its held amounts are released. A charged payment cannot be cancelled; cancelling a grant stops later payments only. The call is idempotent.',
    input: CancellationRequest,
    output: Cancellation,
    errors: ['FORBIDDEN', 'CONFLICT'],
  }),
  getNanoReceipt: operation({
    operationId: 'getNanoPaymentReceipt',
    method: 'GET',
    path: '/receipts/{id}',
    auth: 'public',
    summary: 'Read a payment and its signed receipts',
    input: ReceiptRequest,
    output: NanoPayment,
    errors: ['NOT_FOUND'],
  }),
  withdrawNano: operation({
    operationId: 'withdrawNanoPaymentBalance',
    method: 'POST',
    path: '/withdraw',
    auth: 'public',
    summary: 'Withdraw from a balance to an account on the chain',
    description:
      "Signed by the owner; the same signature returns the same withdrawal. Sellers' earnings are paid out automatically.",
    input: WithdrawalRequest,
    output: Withdrawal,
    errors: ['FORBIDDEN', 'CONFLICT', 'INSUFFICIENT_BALANCE', 'SERVICE_UNAVAILABLE'],
  }),
  listNanoWithdrawals: operation({
    operationId: 'listNanoPaymentWithdrawals',
    method: 'GET',
    path: '/withdraw',
    auth: merchantAuth('read'),
    summary: 'List the withdrawals and payouts of your account',
    description:
      'Withdrawals from the balance and automatic payouts of earnings, for the TON wallet of the API key or session. Returns 403 for a wallet of another chain.',
    input: WithdrawalsQuery,
    output: WithdrawalsReply,
    errors: ['FORBIDDEN'],
  }),
  getNanoWithdrawal: operation({
    operationId: 'getNanoPaymentWithdrawal',
    method: 'GET',
    path: '/withdraw/{id}',
    auth: 'public',
    summary: 'Read the status of a withdrawal',
    input: WithdrawalLookup,
    output: Withdrawal,
    errors: ['NOT_FOUND'],
  }),
});
