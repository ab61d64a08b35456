import { createHash } from 'node:crypto';
import { hashed, type ChannelToken } from '@tollbridge/nanopay-protocol';
import type { RecordedResponse } from '../response-store';

/** The terms of a channel, and what the ledger service knows it by. */
export interface ChannelFields {
  /** Confirmation id of the payment that opened it. */
  id: string;
  /** Digest of that payment. */
  digest: Buffer;
  /** 16 bytes: only their holder can settle the channel. */
  callKey: Buffer;
  payer: string;
  seller: string;
  unitAtomic: bigint;
  length: number;
}

/** The part of a channel that changes, as it is stored. */
export interface ChannelProgress {
  /** The last accepted link, at first the anchor, and its index. */
  index: number;
  link: Buffer;
  /** What the last link paid, in links, and a hash of the method and URL that it paid for. */
  lastUnits: number;
  lastFor: Buffer;
  /** The last link was served again after its answer was lost. */
  isLastRepeated: boolean;
  /** Units of failed requests: they are not charged. */
  refunded: number;
  settledIndex: number;
  /** Charged by the ledger, in units. */
  settledUnits: number;
  /** Unix milliseconds, as the ledger service last said. */
  endMs: number;
  /** No link is accepted any more: the next settlement is the last. */
  isClosing: boolean;
}

/**
 * What became of the request of the last link. `unknown` after a crash or a broken connection; `unwritten` if it was
 * not served, since its record could not be written.
 */
export type LastRequest =
  | { status: 'running' | 'refunded' | 'unknown' | 'unwritten' }
  /** The response is undefined if it was not kept. */
  | { status: 'answered'; response: RecordedResponse | undefined };

/** A request that a link pays. Its units are not charged while it has no answer. */
export class LinkRequest {
  private isRunning = true;
  constructor(
    readonly channel: Channel,
    readonly index: number,
    readonly units: number,
  ) {
    channel.pending += units;
  }

  /** What the link paid is due, or was refunded. */
  end(): void {
    if (!this.isRunning) return;
    this.isRunning = false;
    this.channel.pending -= this.units;
  }
}

/** Before its end a channel takes no more links, and is settled. */
export const stopBeforeEndMs = 60_000;

/** An open channel of this process. */
export class Channel implements ChannelFields, ChannelProgress {
  readonly id: string;
  readonly digest: Buffer;
  readonly callKey: Buffer;
  readonly payer: string;
  readonly seller: string;
  readonly unitAtomic: bigint;
  readonly length: number;
  index: number;
  link: Buffer;
  lastUnits: number;
  lastFor: Buffer;
  isLastRepeated: boolean;
  refunded: number;
  settledIndex: number;
  settledUnits: number;
  endMs: number;
  /** Units of requests that have no answer yet. */
  pending = 0;
  last: LastRequest = { status: 'unknown' };
  lastRequest: LinkRequest | undefined;
  /** The last link that was refunded. */
  refundedIndex = 0;
  /** When the ledger service last confirmed the channel; 0 if this process has not asked. */
  confirmedMs = 0;
  /** When the first link that is not settled was accepted. */
  unsettledMs = 0;
  usedMs = 0;
  isClosing: boolean;
  /** The log says that it is closing: a successor will accept no link either. */
  isClosingStored: boolean;
  /** The settlement that is under way. */
  settlement: Promise<void> | undefined;

  constructor(fields: ChannelFields & ChannelProgress) {
    this.id = fields.id;
    this.digest = fields.digest;
    this.callKey = fields.callKey;
    this.payer = fields.payer;
    this.seller = fields.seller;
    this.unitAtomic = fields.unitAtomic;
    this.length = fields.length;
    this.index = fields.index;
    this.link = fields.link;
    this.lastUnits = fields.lastUnits;
    this.lastFor = fields.lastFor;
    this.isLastRepeated = fields.isLastRepeated;
    this.refunded = fields.refunded;
    this.settledIndex = fields.settledIndex;
    this.settledUnits = fields.settledUnits;
    this.endMs = fields.endMs;
    this.isClosing = this.isClosingStored = fields.isClosing;
  }

  /** Whether the link is the next one for this many units. */
  isNext({ index, link }: ChannelToken, units: number): boolean {
    return index === this.index + units && index <= this.length && hashed(link, units).equals(this.link);
  }

  /** What may be charged now: links of requests in progress may still be refunded. */
  get chargeable(): number {
    return Math.max(this.index - this.refunded - this.pending, this.settledUnits);
  }

  get isSettled(): boolean {
    return this.settledIndex === this.index && this.settledUnits === this.chargeable;
  }

  /**
   * The buyer needs no answer to the last link any more: the next one shows it, or the channel ends.
   * @returns whether the link is refunded, because it was never served
   */
  leaveLast(): boolean {
    const { last, lastRequest } = this;
    if (last.status === 'unknown') lastRequest?.end();
    if (last.status !== 'unwritten' || !lastRequest) return false;
    this.refund(lastRequest);
    return true;
  }

  /** What the link paid is not charged. */
  refund(request: LinkRequest): void {
    request.end();
    // A link that was served again may fail twice.
    if (this.refundedIndex !== request.index) this.refunded += request.units;
    this.refundedIndex = request.index;
    if (this.lastRequest === request) this.last = { status: 'refunded' };
  }
}

const fingerprintBytes = 8;

/** Names a resource in the log. */
export const fingerprintOf = (method: string, url: string): Buffer =>
  createHash('sha256').update(`${method}\n${url}`).digest().subarray(0, fingerprintBytes);

export const noFingerprint: Buffer = Buffer.alloc(fingerprintBytes);
