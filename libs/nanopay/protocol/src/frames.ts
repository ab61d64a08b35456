import type { WalletDialog } from './ton-connect';
import { accountBytes, accountLength, accountText } from './accounts';
import {
  paymentLength,
  paymentOffsets,
  readUint128,
  writeUint128,
  type PaymentTerms,
  paymentBytes,
} from './signed-bytes';
import type { ChannelTerms } from './channel';
import type { PresentedChain, PresentedPayment, PresentedSession } from './payment-header';
import { rejections, type Rejection } from './reasons';

/**
 * NATS subject of frames between a paywall and the payment ledger service. A frame is a binary message with many
 * payments. At thousands of payments a second, one JSON message per payment would cost more than verifying its
 * signature.
 */
export const paymentsSubject = 'op.tee.payments';

/** Maximum number of items per frame. */
export const maxFrameItems = 512;
/** Maximum size of a frame, below the message limit of the bus. */
export const maxFrameBytes = 900_000;

const version = 1;
// The index of a kind is its number on the wire, so new kinds are only appended.
const kinds = ['charge', 'hold', 'void', 'check', 'settle'] as const;

/**
 * One of three operations: charge a payment, hold its amount until its charge, or check without effect whether a charge
 * would succeed.
 */
export interface ChargeItem {
  kind: 'charge' | 'hold' | 'check';
  /**
   * Idempotency key with 16 random bytes per attempt. The same key receives the same outcome, and another key is
   * rejected. Keys with the prefix `keylessCallPrefix` are for calls that do not serve a resource.
   */
  callKey: Buffer;
  /**
   * The amount to charge: the signed amount, or less for an `upTo` payment. 0 releases the hold of an `upTo` payment.
   */
  amountAtomic: bigint;
  /** Duration of the hold. */
  holdS: number;
  /** The 262 signed bytes. */
  payment: Buffer;
  signature: Buffer;
  publicKey: Buffer | undefined;
  stateInit: Buffer | undefined;
  dialog: WalletDialog | undefined;
  session: PresentedSession | undefined;
  /**
   * Set for a payment by a hash chain. Signature and dialog then belong to the chain's grant, because the payment
   * itself is not signed.
   */
  chain: PresentedChain | undefined;
  /** Set for a hold that opens a channel. `holdS` is 0, and the amount is held until the end of the channel. */
  channel?: ChannelTerms | undefined;
}

/** Refunds the charge or releases the hold of this call key. */
export interface VoidItem {
  kind: 'void';
  callKey: Buffer;
  /** 16 bytes. */
  confirmationId: Buffer;
}

/**
 * Charges the total that the payer spent through a channel, and closes the channel with the last settlement.
 * Repeatable.
 */
export interface SettleItem {
  kind: 'settle';
  /** Call key of the hold that opened the channel. */
  callKey: Buffer;
  /** 16 bytes. */
  confirmationId: Buffer;
  /** The last revealed link and its index, at most 1,024 hashes after the last settled link. */
  index: number;
  link: Buffer;
  /** The total to charge, in links: the index less the refunded links. */
  units: number;
  isLast: boolean;
}

export type FrameItem = ChargeItem | VoidItem | SettleItem;

/** A committed result. `checked` is the result of a check and has no effect. */
export interface SettledOutcome {
  status: 'captured' | 'held' | 'voided' | 'checked';
  digest: Buffer;
  amountAtomic: bigint;
  /** Receipt fields. They are zeros for a hold and a check, which have no receipt. */
  seq: bigint;
  unixMs: bigint;
  previousHead: Buffer;
  signature: Buffer;
}

/**
 * The state of a channel after a settlement. The receipt covers the amount of this settlement, with zeros for no
 * amount.
 */
export interface ChannelOutcome extends Omit<SettledOutcome, 'status'> {
  status: 'settled';
  /** Total charged by this settlement and all earlier ones, in links. */
  units: number;
  /** Unix milliseconds. Earlier than agreed if the buyer has closed the channel. */
  endMs: bigint;
  isOpen: boolean;
}

export interface RejectedOutcome {
  status: 'rejected';
  reason: Rejection;
  /** Time until a retry; 0 if a retry cannot succeed. */
  retryAfterS: number;
  /** 16 bytes; set if the payer must approve. */
  approvalId: Buffer | undefined;
}

/** The outcome is unknown. A retry with the same call key resolves it. */
export interface UnknownOutcome {
  status: 'unknown';
}

export type Outcome = SettledOutcome | ChannelOutcome | RejectedOutcome | UnknownOutcome;

/** Returns the frame item for a payment with these terms. */
export function chargeItem(
  presented: PresentedPayment,
  terms: PaymentTerms,
  call: Pick<ChargeItem, 'kind' | 'callKey' | 'amountAtomic' | 'holdS'>,
): ChargeItem {
  const { kind, callKey, amountAtomic, holdS } = call;
  const { signature, publicKey, stateInit, dialog, session, chain, channel } = presented;
  const payment = paymentBytes(terms);
  return {
    kind,
    callKey,
    amountAtomic,
    holdS,
    payment,
    signature,
    publicKey,
    stateInit,
    dialog,
    session,
    chain,
    channel,
  };
}

const has = { publicKey: 1, stateInit: 2, dialog: 4, session: 8, chain: 16, channel: 32 } as const;
const hasAll = 63;
/** Length of the frame header. */
export const frameHeadLength = 3;
const keyLength = 16;
/**
 * The first bytes of the call key of a call that does not serve a resource. The first equal charge with another key
 * claims its charge.
 */
export const keylessCallPrefix: Buffer = Buffer.alloc(8);

/** Whether a charge was made by a call that does not serve a resource. */
export const isKeylessCall = (callKey: Buffer): boolean =>
  callKey.compare(keylessCallPrefix, 0, keylessCallPrefix.length, 0, keylessCallPrefix.length) === 0;
/** Prefix and protocol name are equal in all payments, so frames omit them. */
const impliedLength = paymentOffsets.type;
const impliedBytes = Buffer.concat([Buffer.from('ffff', 'hex'), Buffer.from('ton-nanopay/v1')]);
const bodyLength = paymentLength - impliedLength;
const chargeLength = 2 + keyLength + 8 + 2 + bodyLength + 64;
const voidLength = 2 + keyLength + 16;
const sessionLength = 32 + accountLength + 16 + 16 + 8 + 8 + 32 + 64 + 1;

const chainLength = 16 + 4 + 32 + 8 + 8 + 32 + 4 + 32;
const channelLength = 16 + 4 + 32 + 8;
const settleLength = voidLength + 4 + 32 + 4 + 1;

const lengthOfDialog = (dialog: WalletDialog): number => 1 + Buffer.byteLength(dialog.domain) + 8;

/** Encoded length of an item. */
export function lengthOf(item: FrameItem): number {
  if (item.kind === 'void') return voidLength;
  if (item.kind === 'settle') return settleLength;
  return (
    chargeLength +
    (item.publicKey ? 32 : 0) +
    (item.stateInit ? 2 + item.stateInit.length : 0) +
    (item.dialog ? lengthOfDialog(item.dialog) : 0) +
    (item.session ? sessionLength + (item.session.dialog ? lengthOfDialog(item.session.dialog) : 0) : 0) +
    (item.chain ? chainLength : 0) +
    (item.channel ? channelLength : 0)
  );
}

export function encodeFrame(items: readonly FrameItem[]): Buffer {
  const bytes = Buffer.allocUnsafe(items.reduce((length, item) => length + lengthOf(item), frameHeadLength));
  bytes.writeUInt8(version, 0);
  let at = bytes.writeUInt16BE(items.length, 1);
  for (const item of items) at = writeItem(bytes, at, item);
  return bytes;
}

function writeItem(bytes: Buffer, start: number, item: FrameItem): number {
  let at = bytes.writeUInt8(kinds.indexOf(item.kind), start);
  if (item.kind === 'void' || item.kind === 'settle') {
    at = bytes.writeUInt8(0, at);
    at += item.callKey.copy(bytes, at, 0, keyLength);
    at += item.confirmationId.copy(bytes, at, 0, 16);
    return item.kind === 'settle' ? writeSettlement(bytes, at, item) : at;
  }
  const { publicKey, stateInit, dialog, session, chain, channel } = item;
  const present =
    (publicKey ? has.publicKey : 0) |
    (stateInit ? has.stateInit : 0) |
    (dialog ? has.dialog : 0) |
    (session ? has.session : 0) |
    (chain ? has.chain : 0) |
    (channel ? has.channel : 0);
  at = bytes.writeUInt8(present, at);
  at += item.callKey.copy(bytes, at, 0, keyLength);
  at = bytes.writeBigUInt64BE(item.amountAtomic, at);
  at = bytes.writeUInt16BE(item.holdS, at);
  at += item.payment.copy(bytes, at, impliedLength);
  at += item.signature.copy(bytes, at, 0, 64);
  if (publicKey) at += publicKey.copy(bytes, at, 0, 32);
  if (stateInit) {
    at = bytes.writeUInt16BE(stateInit.length, at);
    at += stateInit.copy(bytes, at);
  }
  if (dialog) at = writeDialog(bytes, at, dialog);
  if (session) at = writeSession(bytes, at, session);
  if (chain) at = writeChain(bytes, at, chain);
  return channel ? writeChannel(bytes, at, channel) : at;
}

function writeSettlement(bytes: Buffer, start: number, { index, link, units, isLast }: SettleItem): number {
  let at = bytes.writeUInt32BE(index, start);
  at += link.copy(bytes, at, 0, 32);
  at = bytes.writeUInt32BE(units, at);
  return bytes.writeUInt8(isLast ? 1 : 0, at);
}

function writeChannel(
  bytes: Buffer,
  start: number,
  { unitAtomic, length, anchor, endS }: ChannelTerms,
): number {
  writeUint128(bytes, unitAtomic, start);
  let at = bytes.writeUInt32BE(length, start + 16);
  at += anchor.copy(bytes, at, 0, 32);
  return bytes.writeBigUInt64BE(endS, at);
}

function writeDialog(bytes: Buffer, start: number, { domain, timestampS }: WalletDialog): number {
  const length = bytes.write(domain, start + 1);
  bytes.writeUInt8(length, start);
  return bytes.writeBigUInt64BE(BigInt(timestampS), start + 1 + length);
}

function writeSession(bytes: Buffer, start: number, session: PresentedSession): number {
  let at = start + session.publicKey.copy(bytes, start, 0, 32);
  at += (session.to === undefined ? Buffer.alloc(accountLength) : accountBytes(session.to)).copy(bytes, at);
  writeUint128(bytes, session.maxPerPaymentAtomic, at);
  writeUint128(bytes, session.maxTotalAtomic, at + 16);
  at = bytes.writeBigUInt64BE(session.validAfterS, at + 32);
  at = bytes.writeBigUInt64BE(session.validBeforeS, at);
  at += session.nonce.copy(bytes, at, 0, 32);
  at += session.signature.copy(bytes, at, 0, 64);
  at = bytes.writeUInt8(session.dialog ? 1 : 0, at);
  return session.dialog ? writeDialog(bytes, at, session.dialog) : at;
}

function writeChain(bytes: Buffer, start: number, chain: PresentedChain): number {
  writeUint128(bytes, chain.unitAtomic, start);
  let at = bytes.writeUInt32BE(chain.length, start + 16);
  at += chain.anchor.copy(bytes, at, 0, 32);
  at = bytes.writeBigUInt64BE(chain.validAfterS, at);
  at = bytes.writeBigUInt64BE(chain.validBeforeS, at);
  at += chain.nonce.copy(bytes, at, 0, 32);
  at = bytes.writeUInt32BE(chain.index, at);
  return at + chain.link.copy(bytes, at, 0, 32);
}

/** Reads fields one after the other. Throws beyond the end. */
class Reader {
  at = 0;
  constructor(readonly bytes: Buffer) {}

  take(length: number): Buffer {
    if (this.at + length > this.bytes.length) throw new RangeError('the frame ends too soon');
    return this.bytes.subarray(this.at, (this.at += length));
  }

  // Reads without creating views, because a view for each number takes six times as long. Reads beyond the end throw.
  byte(): number {
    return this.bytes.readUInt8(this.passed(1));
  }

  uint16(): number {
    return this.bytes.readUInt16BE(this.passed(2));
  }

  uint32(): number {
    return this.bytes.readUInt32BE(this.passed(4));
  }

  uint64(): bigint {
    return this.bytes.readBigUInt64BE(this.passed(8));
  }

  uint128(): bigint {
    return readUint128(this.bytes, this.passed(16));
  }

  private passed(length: number): number {
    const { at } = this;
    this.at += length;
    return at;
  }

  list<T>(read: () => T): T[] {
    const [ours, count] = [this.byte(), this.uint16()];
    if (ours !== version || count > maxFrameItems)
      throw new RangeError('the frame is of another version, or too long');
    const items = Array.from({ length: count }, read);
    if (this.at !== this.bytes.length) throw new RangeError('there are bytes after the frame');
    return items;
  }
}

/** Decodes a frame. Returns undefined for an invalid frame. Buffers in the items are views of the frame. */
export function decodeFrame(bytes: Uint8Array): FrameItem[] | undefined {
  const reader = new Reader(asBuffer(bytes));
  return orUndefined(() => reader.list(() => readItem(reader)));
}

function readItem(reader: Reader): FrameItem {
  const kind = kinds[reader.byte()];
  const present = reader.byte();
  const callKey = reader.take(keyLength);
  if (kind === undefined || present > (kind === 'void' || kind === 'settle' ? 0 : hasAll))
    throw new RangeError('an item has an unknown kind or field');
  if (kind === 'void') return { kind, callKey, confirmationId: reader.take(16) };
  if (kind === 'settle') return readSettlement(reader, callKey);
  const amountAtomic = reader.uint64();
  const holdS = reader.uint16();
  const payment = Buffer.concat([impliedBytes, reader.take(bodyLength)]);
  const signature = reader.take(64);
  const publicKey = present & has.publicKey ? reader.take(32) : undefined;
  const stateInit = present & has.stateInit ? reader.take(reader.uint16()) : undefined;
  const dialog = present & has.dialog ? readDialog(reader) : undefined;
  const session = present & has.session ? readSession(reader) : undefined;
  const chain = present & has.chain ? readChain(reader) : undefined;
  const channel = present & has.channel ? readChannel(reader) : undefined;
  return {
    kind,
    callKey,
    amountAtomic,
    holdS,
    payment,
    signature,
    publicKey,
    stateInit,
    dialog,
    session,
    chain,
    channel,
  };
}

function readSettlement(reader: Reader, callKey: Buffer): SettleItem {
  const confirmationId = reader.take(16);
  const [index, link, units, last] = [reader.uint32(), reader.take(32), reader.uint32(), reader.byte()];
  if (last > 1) throw new RangeError('a settlement is the last one or not');
  return { kind: 'settle', callKey, confirmationId, index, link, units, isLast: last === 1 };
}

function readDialog(reader: Reader): WalletDialog {
  return { domain: reader.take(reader.byte()).toString('utf8'), timestampS: Number(reader.uint64()) };
}

function readSession(reader: Reader): PresentedSession {
  const publicKey = reader.take(32);
  const to = reader.take(accountLength);
  return {
    publicKey,
    to: to.every((byte) => byte === 0) ? undefined : accountText(to),
    maxPerPaymentAtomic: reader.uint128(),
    maxTotalAtomic: reader.uint128(),
    validAfterS: reader.uint64(),
    validBeforeS: reader.uint64(),
    nonce: reader.take(32),
    signature: reader.take(64),
    dialog: reader.byte() === 1 ? readDialog(reader) : undefined,
  };
}

function readChain(reader: Reader): PresentedChain {
  return {
    unitAtomic: reader.uint128(),
    length: reader.uint32(),
    anchor: reader.take(32),
    validAfterS: reader.uint64(),
    validBeforeS: reader.uint64(),
    nonce: reader.take(32),
    index: reader.uint32(),
    link: reader.take(32),
  };
}

function readChannel(reader: Reader): ChannelTerms {
  return {
    unitAtomic: reader.uint128(),
    length: reader.uint32(),
    anchor: reader.take(32),
    endS: reader.uint64(),
  };
}

// The index of a status is its number on the wire, so new statuses are only appended.
const statuses = ['rejected', 'captured', 'held', 'voided', 'unknown', 'checked', 'settled'] as const;
const settledLength = 1 + 32 + 8 + 8 + 8 + 32 + 64;
const channelOutcomeLength = settledLength + 4 + 8 + 1;
/** Encoded length of the longest outcome. */
export const maxOutcomeBytes: number = channelOutcomeLength;
const rejectedLength = 1 + 1 + 4 + 16;

function lengthOfOutcome({ status }: Outcome): number {
  if (status === 'unknown') return 1;
  if (status === 'rejected') return rejectedLength;
  return status === 'settled' ? channelOutcomeLength : settledLength;
}

/** Encodes the outcomes of a frame, in the order of its items. */
export function encodeOutcomes(outcomes: readonly Outcome[]): Buffer {
  const bytes = Buffer.alloc(
    outcomes.reduce((length, outcome) => length + lengthOfOutcome(outcome), frameHeadLength),
  );
  bytes.writeUInt8(version, 0);
  let at = bytes.writeUInt16BE(outcomes.length, 1);
  for (const outcome of outcomes) {
    writeOutcome(bytes, at, outcome);
    at += lengthOfOutcome(outcome);
  }
  return bytes;
}

function writeOutcome(bytes: Buffer, start: number, outcome: Outcome): void {
  let at = bytes.writeUInt8(statuses.indexOf(outcome.status), start);
  if (outcome.status === 'unknown') return;
  if (outcome.status === 'rejected') {
    at = bytes.writeUInt8(rejections.indexOf(outcome.reason), at);
    at = bytes.writeUInt32BE(outcome.retryAfterS, at);
    outcome.approvalId?.copy(bytes, at, 0, 16);
    return;
  }
  at += outcome.digest.copy(bytes, at, 0, 32);
  at = bytes.writeBigUInt64BE(outcome.amountAtomic, at);
  at = bytes.writeBigUInt64BE(outcome.seq, at);
  at = bytes.writeBigUInt64BE(outcome.unixMs, at);
  at += outcome.previousHead.copy(bytes, at, 0, 32);
  at += outcome.signature.copy(bytes, at, 0, 64);
  if (outcome.status !== 'settled') return;
  at = bytes.writeUInt32BE(outcome.units, at);
  at = bytes.writeBigUInt64BE(outcome.endMs, at);
  bytes.writeUInt8(outcome.isOpen ? 1 : 0, at);
}

/** Returns undefined for invalid bytes. The outcomes are then unknown. */
export function decodeOutcomes(bytes: Uint8Array): Outcome[] | undefined {
  const reader = new Reader(asBuffer(bytes));
  return orUndefined(() => reader.list(() => readOutcome(reader)));
}

function readOutcome(reader: Reader): Outcome {
  const status = statuses[reader.byte()];
  if (status === undefined) throw new RangeError('an outcome of unknown kind');
  if (status === 'unknown') return { status };
  if (status === 'rejected') {
    const reason = rejections[reader.byte()];
    if (reason === undefined) throw new RangeError('unknown rejection reason');
    const retryAfterS = reader.uint32();
    const approvalId = reader.take(16);
    return {
      status,
      reason,
      retryAfterS,
      approvalId: approvalId.some((byte) => byte !== 0) ? approvalId : undefined,
    };
  }
  const receipt = {
    digest: reader.take(32),
    amountAtomic: reader.uint64(),
    seq: reader.uint64(),
    unixMs: reader.uint64(),
    previousHead: reader.take(32),
    signature: reader.take(64),
  };
  if (status !== 'settled') return { status, ...receipt };
  return { status, ...receipt, units: reader.uint32(), endMs: reader.uint64(), isOpen: reader.byte() === 1 };
}

const asBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

function orUndefined<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
