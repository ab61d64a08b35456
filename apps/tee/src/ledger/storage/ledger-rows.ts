import type { Account } from '../rules/account';
import type { Channel } from '../rules/channel';
import type { ChannelRow } from './channel.entity';
import type { AccountRow } from './account.entity';
import type { ApprovalRow } from './approval.entity';
import type { ApprovalTerms } from '../rules/approvals';
import { ownBytes } from '../own-bytes';
import type { Payment } from '../rules/payment';
import type { PaymentRow } from './payment.entity';
import type { SessionRow } from './session.entity';
import type { Session } from '../rules/sessions';

/** Converts a UUID column to the 16 bytes of the protocol. */
const uuidBytes = (uuid: string): Buffer => Buffer.from(uuid.replaceAll('-', ''), 'hex');

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

/** Returns a channel with the confirmation id of its payment. */
export const channelFromRow = (row: ChannelRow): { confirmationId: Buffer; channel: Channel } => ({
  confirmationId: uuidBytes(row.confirmation_id),
  channel: {
    unitAtomic: BigInt(row.unit),
    length: row.length,
    anchor: ownBytes(row.anchor),
    endMs: Number(row.ends_ms),
    index: row.link_index,
    link: ownBytes(row.link),
    units: row.units,
    isOpen: row.is_open,
  },
});

export const paymentFromRow = (row: PaymentRow): Payment => ({
  confirmationId: uuidBytes(row.confirmation_id),
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
  channel: undefined,
  seq: BigInt(row.seq),
  unixMs: BigInt(row.charged_ms),
  previousHead: row.previous_head,
  receipt: undefined,
  isStored: true,
});

/** An account with its cancelled nonces. */
export type LoadedAccountRow = AccountRow & { cancelled: Buffer[] | null };

export const accountFromRow = (row: LoadedAccountRow): Account => ({
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

export const approvalFromRow = (row: ApprovalRow): ApprovalTerms => ({
  id: uuidBytes(row.id),
  payer: row.payer.toString('latin1'),
  seller: row.seller.toString('latin1'),
  amountAtomic: BigInt(row.amount),
  resourceHash: row.resource_hash,
  status: row.status,
  createdMs: row.created_at.getTime(),
  expiresMs: row.expires_at.getTime(),
  updatedMs: row.updated_at.getTime(),
});
