import { feature, merchantAuth, operation } from '@tollbridge/rpc';
import { Amount, Figure, Integer, ListOf, Nested, OneOf, Text, Timestamp, Unsigned } from '../decorators';
import { Cursor, Limit, NextCursor, UsedLimit } from '../list-fields';
import { ConfirmationId, HexBytes, maxNanoAmount, SecondsText, Sum, TonAccount } from './fields';
import { Id } from '../shared-fields';

export class AccountRequest {
  @TonAccount('TON account') address: string;
}

/** Balance of an account. All sums are in the smallest unit of the asset. */
export class NanoBalance {
  @TonAccount('Account, raw form') address: string;
  @Text('Symbol of the asset', { example: 'USDT' }) asset: string;
  @Sum('Available balance') available: string;
  @Sum('Held for payments in progress', '0') reserved: string;
  @Sum('Total paid') spent: string;
  @Sum('Total earned as a seller', '0') earned: string;
  @Sum('Earnings that were paid out, final on the chain', '0') settled: string;
  @Sum('Earnings that are still to be paid out', '0') unsettled: string;
  @Sum('Total deposited', '2000') deposited: string;
  @Sum('Total withdrawn, final on the chain', '0') withdrawn: string;
  @Sum('Same as deposited', '2000') totalDeposited: string;
  @Sum('Same as spent') totalSpent: string;
  @Timestamp('Time of the last change; for an unused account the current time', {
    example: '2026-11-22T12:00:00.000Z',
  })
  updatedAt: string;
}

/** Signature by the account's owner over a message from `docs/nano-payments.md`. */
export class OwnerSignature {
  @Text('Signature: 128 hexadecimal digits, or base64', { maxLength: 128, example: 'a1'.repeat(64) })
  signature: string;
  @SecondsText('Expiry of the signed message, Unix seconds; at most ten minutes from now')
  validBefore: string;
  @HexBytes(32, "Public key; required until the account's first payment", { optional: true })
  publicKey?: string;
  @Text('State-init of the wallet, base64; required for wallets other than W5', {
    optional: true,
    maxLength: 5_464,
    example: 'te6cckEC…',
  })
  stateInit?: string;
  @OneOf(['raw', 'tonconnect'], 'Signing method', { default: 'raw' }) signatureKind: 'raw' | 'tonconnect';
  @Text('With a wallet dialog: its domain', { optional: true, maxLength: 127, example: 'pay.example.com' })
  domain?: string;
  @SecondsText('With a wallet dialog: its time', { optional: true }) timestamp?: string;
}

/** Signature by the account's owner over a message that is valid once. */
export class OwnerProof extends OwnerSignature {
  @HexBytes(32, 'Random nonce, for one use') nonce: string;
}

const MaxAmount = () =>
  Amount('Largest payment without approval; 0 requires approval for every payment', {
    allowZero: true,
    max: maxNanoAmount,
    example: '5000000',
  });
const rateLimit = { description: 'Payments per minute', min: 0, max: 1_000_000, example: 60 };

export class PolicyRequest {
  @TonAccount('Account to limit') address: string;
  @MaxAmount() maxAmount: string;
  @Integer(rateLimit) rateLimit: number;
  @Nested(
    () => OwnerProof,
    'Signature of the owner (message type 4). Not required while the account has neither key nor balance, or with an API key or session of the same wallet',
    { optional: true },
  )
  proof?: OwnerProof;
}

export class Policy {
  @TonAccount('Account to limit, raw form') address: string;
  @Text('Largest payment without approval; null means no limit', { nullable: true, example: '5000000' })
  maxAmount: string | null;
  @Integer('Payments per minute; null means no limit', { ...rateLimit, nullable: true })
  rateLimit: number | null;
  @Timestamp('Time when the policy was set; null for the default policy', {
    nullable: true,
    example: '2026-11-22T12:00:00.000Z',
  })
  updatedAt: string | null;
}

/** A receipt signed by the payment ledger. */
export class NanoReceipt {
  @ConfirmationId() confirmationId: string;
  @OneOf(['charge', 'refund'], 'Charge or refund') type: 'charge' | 'refund';
  @HexBytes(32, 'SHA-256 of the message that the buyer signed') digest: string;
  @Amount('Charged or refunded amount', { example: '1000' }) amount: string;
  @Text('Sequence number in the receipt chain', { example: '1041' }) seq: string;
  @HexBytes(32, 'Head of the chain before this receipt') previousHead: string;
  @Text('Time, Unix milliseconds', { example: '1795348800123' }) timestampMs: string;
  @Text('Signature of the payment ledger, base64', { maxLength: 88, example: 'iMPk…' }) signature: string;
}

export class ReceiptRequest {
  @ConfirmationId() id: string;
}

export class NanoPayment {
  @ConfirmationId() confirmationId: string;
  @OneOf(['held', 'captured', 'voided', 'expired'], 'Status', { example: 'captured' })
  status: 'held' | 'captured' | 'voided' | 'expired';
  @TonAccount('Account of the payer, raw form') from: string;
  @TonAccount('Account of the seller, raw form') to: string;
  @Amount('Signed amount', { example: '1000' }) amount: string;
  @Sum('Charged amount') chargedAmount: string;
  @Nested(() => NanoReceipt, 'Receipt of the charge; null without one', { nullable: true })
  receipt: NanoReceipt | null;
  @Nested(() => NanoReceipt, 'Receipt of the refund; null without one', { nullable: true })
  refund: NanoReceipt | null;
}

export class StatsRequest {}

export class LedgerPosition {
  @Text('Number of receipts', { example: '1041' }) seq: string;
  @HexBytes(32, 'Head of the receipt chain') head: string;
}

export class NanoStats {
  @Text('Payments charged since the start of the ledger', { example: '1041' }) payments: string;
  @Sum('Sum of those payments') volume: string;
  @Unsigned('Accounts in the ledger', { example: 12 }) accounts: number;
  @Sum('Earnings of sellers that are still to be paid out') pendingSettlement: string;
  @Unsigned('Payments that wait for approval', { example: 0 }) pendingApprovals: number;
  @Unsigned('Payments rejected since the payment ledger started', { example: 3 }) rejected: number;
  @Figure('Median processing time of the last thousand payments, milliseconds', { example: 1.9 })
  p50Ms: number;
  @Figure('99th percentile of the processing time, milliseconds', { example: 6.2 }) p99Ms: number;
  @Nested(() => LedgerPosition, 'State of the receipt chain') ledger: LedgerPosition;
  @Unsigned('Seconds since the payment ledger started', { example: 3600 }) uptimeSeconds: number;
}

export class WithdrawalRequest {
  @TonAccount('Account to withdraw from') address: string;
  @TonAccount('TON account that receives the money', { receivesMoney: true }) destination: string;
  @Amount('Amount', { max: maxNanoAmount }) amount: string;
  @Nested(() => OwnerProof, 'Signature of the owner (message type 6)') proof: OwnerProof;
}

export const withdrawalStates = ['pending', 'sent', 'completed', 'returned'] as const;

export class Withdrawal {
  @Id('Id of the withdrawal') withdrawalId: string;
  @OneOf(
    withdrawalStates,
    "Status. `completed`: the chain sent it. `returned`: the destination's wallet rejected it, and the amount is back in the balance",
  )
  status: (typeof withdrawalStates)[number];
  @TonAccount('Account withdrawn from, raw form') address: string;
  @TonAccount('Destination account, raw form') destination: string;
  @Amount('Amount') amount: string;
  @Timestamp('Request time', { example: '2026-11-22T12:00:00.000Z' }) createdAt: string;
}

export class CancellationRequest {
  @TonAccount('Account that signed the payment or session grant') address: string;
  @HexBytes(32, 'Nonce of the payment, or of the session grant') nonce: string;
  @Nested(() => OwnerSignature, 'Signature of the owner (message type 7)') proof: OwnerSignature;
}

export class Cancellation {
  @TonAccount('Account, raw form') address: string;
  @HexBytes(32, 'Cancelled nonce') nonce: string;
  @OneOf(['cancelled'], 'Always true') status: 'cancelled';
}

export class WithdrawalLookup {
  @Id('Id of the payment') id: string;
}

export class WithdrawalsQuery {
  @Limit(20) limit?: number;
  @Cursor({ maxLength: 128, example: 'MTc2MzY0MDAwMDAwMC45YTNkMWM0NA' }) cursor?: string;
}

export class WithdrawalsReply {
  @ListOf(() => Withdrawal, 'Newest first', { maxItems: 100 }) withdrawals: Withdrawal[];
  @UsedLimit(20) limit: number;
  @NextCursor() next_cursor: string | null;
}

export const nanoAccountsApi = feature('nanopay', 'accounts', 'Nano-payments', {
  getNanoBalance: operation('GET /balance/{address}', {
    operationId: 'getNanoPaymentBalance',
    auth: 'public',
    summary: 'Read the balance and totals of an account',
    description: 'An unknown account has zeros.',
    input: AccountRequest,
    output: NanoBalance,
  }),
  getNanoStats: operation('GET /stats', {
    operationId: 'getNanoPaymentStats',
    auth: 'public',
    summary: 'Read payment totals and processing times',
    description: 'At most one second old.',
    input: StatsRequest,
    output: NanoStats,
  }),
  setPolicy: operation('POST /policy', {
    operationId: 'setNanoPaymentPolicy',
    auth: 'public',
    summary: 'Set the payment limits of an account',
    description:
      'A payment above `maxAmount` waits for approval; payments above `rateLimit` are rejected. Authorised by a signature of the owner, or by an API key or session of the same wallet. Any client may limit an account that has neither key nor balance.',
    input: PolicyRequest,
    output: Policy,
    errors: ['FORBIDDEN', 'CONFLICT'],
  }),
  getPolicy: operation('GET /policy/{address}', {
    operationId: 'getNanoPaymentPolicy',
    auth: 'public',
    summary: 'Read the limits of an account',
    input: AccountRequest,
    output: Policy,
  }),
  cancelPayment: operation('POST /cancel', {
    operationId: 'cancelNanoPayment',
    auth: 'public',
    summary: 'Cancel a payment or session grant',
    description:
      'Signed by the owner. The nonce will never be charged again, and its held amounts are released. A charged payment cannot be cancelled; cancelling a grant stops later payments only. The call is idempotent.',
    input: CancellationRequest,
    output: Cancellation,
    errors: ['FORBIDDEN', 'CONFLICT'],
  }),
  getNanoReceipt: operation('GET /receipts/{id}', {
    operationId: 'getNanoPaymentReceipt',
    auth: 'public',
    summary: 'Read a payment and its signed receipts',
    input: ReceiptRequest,
    output: NanoPayment,
    errors: ['NOT_FOUND'],
  }),
  withdrawNano: operation('POST /withdraw', {
    operationId: 'withdrawNanoPaymentBalance',
    auth: 'public',
    summary: 'Withdraw from a balance to an account on the chain',
    description:
      "Signed by the owner; the same signature returns the same withdrawal. Sellers' earnings are paid out automatically.",
    input: WithdrawalRequest,
    output: Withdrawal,
    errors: ['FORBIDDEN', 'CONFLICT', 'INSUFFICIENT_BALANCE', 'SERVICE_UNAVAILABLE'],
  }),
  listNanoWithdrawals: operation('GET /withdraw', {
    operationId: 'listNanoPaymentWithdrawals',
    auth: merchantAuth('read'),
    summary: 'List the withdrawals and payouts of your account',
    description:
      'Withdrawals from the balance and automatic payouts of earnings, for the TON wallet of the API key or session. Returns 403 for a wallet of another chain.',
    input: WithdrawalsQuery,
    output: WithdrawalsReply,
    errors: ['FORBIDDEN'],
  }),
  getNanoWithdrawal: operation('GET /withdraw/{id}', {
    operationId: 'getNanoPaymentWithdrawal',
    auth: 'public',
    summary: 'Read the status of a withdrawal',
    input: WithdrawalLookup,
    output: Withdrawal,
    errors: ['NOT_FOUND'],
  }),
});
