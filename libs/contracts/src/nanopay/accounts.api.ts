import { Amount, feature, Figure, Integer, Nested, OneOf, operation, Text, Timestamp } from '@tollbridge/rpc';
import { ConfirmationId, HexBytes, maxNanoAmount, SecondsText, Sum, TonAccount } from './fields';

export class AccountRequest {
  @TonAccount({ description: 'An account of TON' })
  address: string;
}

/** All sums in the smallest unit of the asset. */
export class NanoBalance {
  @TonAccount({ description: 'The account, raw' })
  address: string;
  @Text({ description: 'Symbol of the asset', example: 'USDT' })
  asset: string;
  @Sum('What it can pay with')
  available: string;
  @Sum('What is held for payments under way', '0')
  reserved: string;
  @Sum('What it has paid')
  spent: string;
  @Sum('What it was paid as a seller', '0')
  earned: string;
  @Sum('What of that was paid out, final on the chain', '0')
  settled: string;
  @Sum('What of that is still to be paid out', '0')
  unsettled: string;
  @Sum('What it has deposited', '2000')
  deposited: string;
  @Sum('What it has withdrawn, final on the chain', '0')
  withdrawn: string;
  @Sum('The same as deposited', '2000')
  totalDeposited: string;
  @Sum('The same as spent')
  totalSpent: string;
  @Timestamp({
    description: 'When it changed last; of an account that nobody has used: now',
    example: '2026-11-22T12:00:00.000Z',
  })
  updatedAt: string;
}

/** A signature of the owner of the account over a message of `docs/nano-payments.md`. */
export class OwnerSignature {
  @Text({
    description: 'The signature: 128 hexadecimal digits, or base64',
    maxLength: 128,
    example: 'a1'.repeat(64),
  })
  signature: string;
  @SecondsText({ description: 'Until when it may be used, Unix seconds; at most ten minutes from now' })
  validBefore: string;
  @HexBytes(32, { description: 'The public key, as long as the account has not paid yet', optional: true })
  publicKey?: string;
  @Text({
    description: 'State-init of the wallet, base64, where it is no W5 wallet',
    optional: true,
    maxLength: 5_464,
    example: 'te6cckEC…',
  })
  stateInit?: string;
  @OneOf(['raw', 'tonconnect'], { description: 'How it was signed', default: 'raw', example: 'raw' })
  signatureKind: 'raw' | 'tonconnect';
  @Text({
    description: 'Of a wallet dialog: its domain',
    optional: true,
    maxLength: 127,
    example: 'pay.example.com',
  })
  domain?: string;
  @SecondsText({ description: 'Of a wallet dialog: its time', optional: true })
  timestamp?: string;
}

/** The same over a message that is good for once. */
export class OwnerProof extends OwnerSignature {
  @HexBytes(32, { description: 'Random, for one use' })
  nonce: string;
}

const maxAmount = {
  description: 'The most that one payment may be without approval; 0 asks for every payment',
  ...{ allowZero: true, max: maxNanoAmount },
  example: '5000000',
};
const rateLimit = { description: 'Payments a minute', min: 0, max: 1_000_000, example: 60 };

export class PolicyRequest {
  @TonAccount({ description: 'Whose payments are limited' })
  address: string;
  @Amount(maxAmount)
  maxAmount: string;
  @Integer(rateLimit)
  rateLimit: number;
  @Nested(() => OwnerProof, {
    description:
      'Signature of the owner (message type 4). Not needed while the account has neither key nor balance, nor with an API key or session of the same wallet',
    optional: true,
  })
  proof?: OwnerProof;
}

export class Policy {
  @TonAccount({ description: 'Whose payments are limited, raw' })
  address: string;
  @Text({
    description: 'The most that one payment may be without approval; null without a limit',
    nullable: true,
    example: '5000000',
  })
  maxAmount: string | null;
  @Integer({ ...rateLimit, description: 'Payments a minute; null without a limit', nullable: true })
  rateLimit: number | null;
  @Timestamp({
    description: 'When it was set; null for the policy of who has set none',
    nullable: true,
    example: '2026-11-22T12:00:00.000Z',
  })
  updatedAt: string | null;
}

/** What the enclave has signed for a payment. */
export class NanoReceipt {
  @ConfirmationId()
  confirmationId: string;
  @OneOf(['charge', 'refund'], { description: 'Which of both', example: 'charge' })
  type: 'charge' | 'refund';
  @HexBytes(32, { description: 'SHA-256 of what the buyer signed' })
  digest: string;
  @Amount({ description: 'What was charged or given back', example: '1000' })
  amount: string;
  @Text({ description: 'Place in the chain of receipts', example: '1041' })
  seq: string;
  @HexBytes(32, { description: 'Head of the chain before it' })
  previousHead: string;
  @Text({ description: 'When, Unix milliseconds', example: '1795348800123' })
  timestampMs: string;
  @Text({ description: 'Signature of the enclave, base64', maxLength: 88, example: 'iMPk…' })
  signature: string;
}

export class ReceiptRequest {
  @ConfirmationId()
  id: string;
}

export class NanoPayment {
  @ConfirmationId()
  confirmationId: string;
  @OneOf(['held', 'captured', 'voided', 'expired'], { description: 'Where it stands', example: 'captured' })
  status: 'held' | 'captured' | 'voided' | 'expired';
  @TonAccount({ description: 'Who pays, raw' })
  from: string;
  @TonAccount({ description: 'Who is paid, raw' })
  to: string;
  @Amount({ description: 'What was signed', example: '1000' })
  amount: string;
  @Sum('What was charged')
  chargedAmount: string;
  @Nested(() => NanoReceipt, {
    description: 'The receipt of the charge; null while there is none',
    nullable: true,
  })
  receipt: NanoReceipt | null;
  @Nested(() => NanoReceipt, {
    description: 'The receipt of giving it back; null if it was not',
    nullable: true,
  })
  refund: NanoReceipt | null;
}

export class StatsRequest {}

export class LedgerPosition {
  @Text({ description: 'How many receipts there are', example: '1041' })
  seq: string;
  @HexBytes(32, { description: 'Head of their chain' })
  head: string;
}

export class NanoStats {
  @Text({ description: 'Payments charged since the beginning', example: '1041' })
  payments: string;
  @Sum('What they come to')
  volume: string;
  @Integer({ description: 'Accounts in the ledger', min: 0, example: 12 })
  accounts: number;
  @Sum('What is still to be paid out to sellers')
  pendingSettlement: string;
  @Integer({ description: 'Payments that wait for approval', min: 0, example: 0 })
  pendingApprovals: number;
  @Integer({ description: 'Payments refused since the enclave started', min: 0, example: 3 })
  rejected: number;
  @Figure({
    description: 'Half of the last thousand took at most so many milliseconds inside the enclave',
    example: 1.9,
  })
  p50Ms: number;
  @Figure({ description: '99 of 100 did', example: 6.2 })
  p99Ms: number;
  @Nested(() => LedgerPosition, { description: 'Where the chain of receipts stands' })
  ledger: LedgerPosition;
  @Integer({ description: 'How long the enclave has been running', min: 0, example: 3600 })
  uptimeSeconds: number;
}

export class WithdrawalRequest {
  @TonAccount({ description: 'Whose balance it is' })
  address: string;
  @TonAccount({ description: 'Receives the money on the chain', receivesMoney: true })
  destination: string;
  @Amount({ description: 'How much', max: maxNanoAmount, example: '1000000' })
  amount: string;
  @Nested(() => OwnerProof, { description: 'Signature of the owner (message type 6)' })
  proof: OwnerProof;
}

export const withdrawalStates = ['pending', 'sent', 'completed', 'returned'] as const;

export class Withdrawal {
  @Text({ description: 'Its name', format: 'uuid', example: '0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d' })
  withdrawalId: string;
  @OneOf(withdrawalStates, {
    description:
      'How far it is. completed: it was sent on the chain. returned: the wallet of the destination did not take it, and it is in the balance again',
    example: 'pending',
  })
  status: (typeof withdrawalStates)[number];
  @TonAccount({ description: 'Whose balance it was, raw' })
  address: string;
  @TonAccount({ description: 'Who is paid, raw' })
  destination: string;
  @Amount({ description: 'How much', example: '1000000' })
  amount: string;
  @Timestamp({ description: 'When it was asked for', example: '2026-11-22T12:00:00.000Z' })
  createdAt: string;
}

export class CancellationRequest {
  @TonAccount({ description: 'Who has signed what is cancelled' })
  address: string;
  @HexBytes(32, { description: 'Nonce of the payment, or of the session grant' })
  nonce: string;
  @Nested(() => OwnerSignature, { description: 'Signature of the owner (message type 7)' })
  proof: OwnerSignature;
}

export class Cancellation {
  @TonAccount({ description: 'Whose it was, raw' })
  address: string;
  @HexBytes(32, { description: 'What will never be charged' })
  nonce: string;
  @OneOf(['cancelled'], { description: 'That it stands', example: 'cancelled' })
  status: 'cancelled';
}

export class WithdrawalLookup {
  @Text({ description: 'Its name', format: 'uuid', example: '0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d' })
  id: string;
}

export const nanoAccountsApi = feature('nanopay', 'accounts', 'Nano-payments', {
  getNanoBalance: operation({
    operationId: 'getNanoPaymentBalance',
    ...{ method: 'GET', path: '/balance/{address}', auth: 'public' },
    summary: 'What an account can pay with, has paid and was paid',
    description: 'An account that nobody knows has zeros.',
    ...{ input: AccountRequest, output: NanoBalance, errors: [] },
  }),
  getNanoStats: operation({
    operationId: 'getNanoPaymentStats',
    ...{ method: 'GET', path: '/stats', auth: 'public' },
    summary: 'How much is paid here, and how fast',
    description: 'As of at most a second ago.',
    ...{ input: StatsRequest, output: NanoStats, errors: [] },
  }),
  setPolicy: operation({
    operationId: 'setNanoPaymentPolicy',
    ...{ method: 'POST', path: '/policy', auth: 'public' },
    summary: 'Limit what a key may pay',
    description:
      'What is above `maxAmount` waits for approval; what is more often than `rateLimit` is refused. Proven by a signature of the owner, or by an API key or session of the same wallet; an account without key and balance may be limited by anybody.',
    ...{ input: PolicyRequest, output: Policy, errors: ['FORBIDDEN', 'CONFLICT'] },
  }),
  getPolicy: operation({
    operationId: 'getNanoPaymentPolicy',
    ...{ method: 'GET', path: '/policy/{address}', auth: 'public' },
    summary: 'The limits of an account',
    ...{ input: AccountRequest, output: Policy, errors: [] },
  }),
  cancelPayment: operation({
    operationId: 'cancelNanoPayment',
    ...{ method: 'POST', path: '/cancel', auth: 'public' },
    summary: 'See to it that a payment, or whatever a session grant allows, is never charged',
    description:
      'Signed by the owner. What is held under it goes back. A payment that was charged cannot be cancelled; of a grant only what is still to come. Asked again, it is answered again.',
    ...{ input: CancellationRequest, output: Cancellation, errors: ['FORBIDDEN', 'CONFLICT'] },
  }),
  getNanoReceipt: operation({
    operationId: 'getNanoPaymentReceipt',
    ...{ method: 'GET', path: '/receipts/{id}', auth: 'public' },
    summary: 'What became of a payment, with the receipt that the enclave has signed',
    ...{ input: ReceiptRequest, output: NanoPayment, errors: ['NOT_FOUND'] },
  }),
  withdrawNano: operation({
    operationId: 'withdrawNanoPaymentBalance',
    ...{ method: 'POST', path: '/withdraw', auth: 'public' },
    summary: 'Take money out of a balance, to an account on the chain',
    description:
      'Signed by the owner; the same signature again answers how far it is. Earnings of sellers are paid out by themselves.',
    ...{
      input: WithdrawalRequest,
      output: Withdrawal,
      errors: ['FORBIDDEN', 'CONFLICT', 'INSUFFICIENT_BALANCE', 'SERVICE_UNAVAILABLE'],
    },
  }),
  getNanoWithdrawal: operation({
    operationId: 'getNanoPaymentWithdrawal',
    ...{ method: 'GET', path: '/withdraw/{id}', auth: 'public' },
    summary: 'How far a withdrawal is',
    ...{ input: WithdrawalLookup, output: Withdrawal, errors: ['NOT_FOUND'] },
  }),
});
