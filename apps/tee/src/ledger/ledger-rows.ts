import type { Account } from './account';
import type { ApprovalStatus, ApprovalTerms } from './approvals';
import { ownBytes } from './own-bytes';
import type { Payment, PaymentState } from './payment';
import type { Session } from './sessions';

// Rows as `pg` returns them, and their mapping.

export interface PaymentRow {
  payer: Buffer;
  nonce: Buffer;
  valid_before: string;
  valid_after: string;
  confirmation_id: string;
  digest: Buffer;
  seller: Buffer;
  resource_hash: Buffer;
  signature: Buffer;
  call_key: Buffer;
  flags: number;
  state: PaymentState;
  amount: string;
  charged: string;
  hold_until: string;
  seq: string;
  charged_ms: string;
  previous_head: Buffer;
  grant_digest: Buffer | null;
}

export interface SessionRow {
  grant_digest: Buffer;
  account: Buffer;
  nonce: Buffer;
  spent: string;
  max_total: string;
  valid_before: string;
  link: Buffer | null;
}

export const sessionFromRow = (row: SessionRow, nowMs: number): Session => ({
  key: row.grant_digest.toString('latin1'),
  account: row.account.toString('latin1'),
  nonce: row.nonce,
  spentAtomic: BigInt(row.spent),
  maxTotalAtomic: BigInt(row.max_total),
  validBeforeS: BigInt(row.valid_before),
  link: row.link ?? undefined,
  usedMs: nowMs,
});

export interface RefundRow {
  seq: string;
  refunded_ms: string;
  previous_head: Buffer;
}

export const paymentFromRow = (row: PaymentRow): Payment => ({
  confirmationId: Buffer.from(row.confirmation_id.replaceAll('-', ''), 'hex'),
  digest: row.digest,
  payer: row.payer.toString('latin1'),
  seller: row.seller.toString('latin1'),
  nonce: row.nonce,
  resourceHash: row.resource_hash,
  flags: row.flags,
  session: row.grant_digest?.toString('latin1'),
  link: undefined,
  validAfterS: BigInt(row.valid_after),
  validBeforeS: BigInt(row.valid_before),
  signature: row.signature,
  callKey: row.call_key,
  state: row.state,
  amountAtomic: BigInt(row.amount),
  chargedAtomic: BigInt(row.charged),
  holdUntilMs: Number(row.hold_until),
  seq: BigInt(row.seq),
  unixMs: BigInt(row.charged_ms),
  previousHead: row.previous_head,
  receipt: undefined,
  isStored: true,
});

export interface AccountRow extends Record<
  'deposited' | 'available' | 'reserved' | 'spent' | 'earned' | 'settled' | 'settling' | 'withdrawn',
  string
> {
  account: Buffer;
  public_key: Buffer | null;
  max_amount: string | null;
  rate_limit: number | null;
  cancelled: Buffer[] | null;
  updated_at: Date;
}

export const accountFromRow = (row: AccountRow): Account => ({
  key: row.account.toString('latin1'),
  publicKey: row.public_key ? ownBytes(row.public_key) : undefined,
  deposited: BigInt(row.deposited),
  available: BigInt(row.available),
  reserved: BigInt(row.reserved),
  spent: BigInt(row.spent),
  earned: BigInt(row.earned),
  settled: BigInt(row.settled),
  settling: BigInt(row.settling),
  withdrawn: BigInt(row.withdrawn),
  policy:
    row.max_amount === null
      ? undefined
      : { maxAmountAtomic: BigInt(row.max_amount), rateLimit: row.rate_limit! },
  cancelled: row.cancelled ? new Set(row.cancelled.map((nonce) => nonce.toString('latin1'))) : undefined,
  updatedMs: row.updated_at.getTime(),
  usedMs: row.updated_at.getTime(),
});

export interface ApprovalRow {
  id: string;
  payer: Buffer;
  seller: Buffer;
  amount: string;
  resource_hash: Buffer;
  status: ApprovalStatus;
  created_at: Date;
  expires_at: Date;
  updated_at: Date;
}

export const approvalFromRow = (row: ApprovalRow): ApprovalTerms => ({
  id: Buffer.from(row.id.replaceAll('-', ''), 'hex'),
  payer: row.payer.toString('latin1'),
  seller: row.seller.toString('latin1'),
  amountAtomic: BigInt(row.amount),
  resourceHash: row.resource_hash,
  status: row.status,
  createdMs: row.created_at.getTime(),
  expiresMs: row.expires_at.getTime(),
  updatedMs: row.updated_at.getTime(),
});
