import type { ChannelTerms, Rejection } from '@tollbridge/nanopay-protocol';
import type { AccountKey } from './account';
import type { Channel } from './channel';
import type { Session, SessionKey } from './sessions';

export type PaymentState = 'held' | 'captured' | 'voided' | 'expired';

/** A payment in the ledger. Amounts are in the smallest unit of the asset, validity times in Unix seconds. */
export interface Payment {
  confirmationId: Buffer;
  digest: Buffer;
  payer: AccountKey;
  seller: AccountKey;
  nonce: Buffer;
  resourceHash: Buffer;
  flags: number;
  /** The grant that authorises the payment; undefined if the wallet itself signed. */
  session: SessionKey | undefined;
  /** The hash-chain link that paid. Not stored: undefined after a reload. */
  link: Buffer | undefined;
  validAfterS: bigint;
  validBeforeS: bigint;
  signature: Buffer;
  /** Idempotency key of the last state change. A call with the same key is a replay. */
  callKey: Buffer;
  state: PaymentState;
  /** The signed amount, and the captured or held part of it. For a channel: the part that is not settled. */
  amountAtomic: bigint;
  chargedAtomic: bigint;
  holdUntilMs: number;
  /** The channel that the payment opened. */
  channel: Channel | undefined;
  /** Sequence number of the charge receipt; zeros before the capture. */
  seq: bigint;
  unixMs: bigint;
  previousHead: Buffer;
  /** Receipt of the last state change. Not stored: it can be derived from the other fields. */
  receipt: ReceiptToSign | undefined;
  /** Whether the row exists, so that the commit updates it. */
  isStored: boolean;
}

export interface ReceiptToSign {
  digest: Buffer;
  /** Set when the change is committed. */
  signature: Buffer | undefined;
}

/** The refund of a captured payment, with a separate receipt. */
export interface Refund {
  payment: Payment;
  seq: bigint;
  unixMs: bigint;
  previousHead: Buffer;
  receipt: ReceiptToSign;
}

/** A decision of the ledger. `repeat`: a replay or a claim of a charge, with its outcome in the database. */
export type Decision =
  | { kind: 'done'; payment: Payment; refund?: Refund }
  | RejectedDecision
  | { kind: 'repeat'; confirmationId: Buffer };

export interface RejectedDecision {
  kind: 'rejected';
  reason: Rejection;
  retryAfterS: number;
  approvalId?: Buffer;
}

/** A payment with a verified signature, and the requested change. */
export interface CheckedPayment extends Pick<
  Payment,
  | 'confirmationId'
  | 'digest'
  | 'payer'
  | 'seller'
  | 'nonce'
  | 'resourceHash'
  | 'flags'
  | 'validAfterS'
  | 'validBeforeS'
  | 'signature'
  | 'callKey'
  | 'amountAtomic'
> {
  kind: 'charge' | 'hold';
  chargeAtomic: bigint;
  holdS: number;
  /** The session before the first payment under its grant. */
  session: Session | undefined;
  /** The link that pays, for a payment under a hash-chain grant. */
  step: ChainStep | undefined;
  /** The terms of the channel to open. */
  channel: ChannelTerms | undefined;
}

/** A hash-chain link, the number of hashes from it to the anchor, and the value of each link. */
export interface ChainStep {
  index: number;
  link: Buffer;
  unitAtomic: bigint;
}
