import type { Account, AccountKey } from '../rules/account';
import type { ApprovalTerms } from '../rules/approvals';
import type { Payment, Refund } from '../rules/payment';
import type { Session } from '../rules/sessions';

/** All changes since the last commit, to be written in one commit. */
export interface LedgerBatch {
  payments: Set<Payment>;
  refunds: Refund[];
  accounts: Set<Account>;
  approvals: Set<ApprovalTerms>;
  sessions: Set<Session>;
  /** Held payments with channels that have changed. */
  channels: Set<Payment>;
  /** Other rows that belong to these changes. */
  records: LedgerRecord[];
  /** Sequence number and head of the receipt chain after the batch. */
  seq: bigint;
  head: Buffer;
}

/** The nonce of an owner's message, used once. */
export interface UsedNonce {
  kind: 'nonce';
  account: AccountKey;
  nonce: Buffer;
  validBeforeS: bigint;
}

/** A payment or grant with this nonce must never be charged. */
export interface CancellationRecord {
  kind: 'cancellation';
  account: AccountKey;
  nonce: Buffer;
  atMs: number;
}

/** Assigns the charge to this call. */
export interface ClaimRecord extends Pick<Payment, 'confirmationId' | 'validBeforeS' | 'callKey'> {
  kind: 'claim';
}

export interface DepositRecord {
  kind: 'deposit';
  chainAccount: string;
  lt: bigint;
  hash: string;
  account: AccountKey;
  amountAtomic: bigint;
  atMs: number;
}

/** A withdrawal of a balance, or of a seller's earnings. */
export interface WithdrawalTerms {
  id: string;
  source: 'balance' | 'earnings';
  account: AccountKey;
  destination: AccountKey;
  amountAtomic: bigint;
  atMs: number;
}

export interface WithdrawalRecord extends WithdrawalTerms {
  kind: 'withdrawal';
}

/** A withdrawal that the recipient's wallet returned. */
export interface WithdrawalReturned {
  kind: 'withdrawal-return';
  id: string;
  atMs: number;
}

/** One message to the chain that pays many withdrawals. */
export interface PayoutTerms {
  number: bigint;
  queryId: number;
  boc: Buffer;
  /** Logical time of the last transaction before the payout. */
  afterLt: string;
  createdAtS: number;
  validUntilS: number;
}

export interface PayoutRecord extends PayoutTerms {
  kind: 'payout';
  withdrawals: readonly string[];
  atMs: number;
}

/** The end of a payout: it is paid, or nothing was sent and its withdrawals are pending again. */
export interface PayoutEnd {
  kind: 'payout-end';
  number: bigint;
  outcome: 'completed' | 'failed';
  atMs: number;
}

export type LedgerRecord =
  | UsedNonce
  | CancellationRecord
  | ClaimRecord
  | DepositRecord
  | WithdrawalRecord
  | WithdrawalReturned
  | PayoutRecord
  | PayoutEnd;
