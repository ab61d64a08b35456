import { createHash } from 'node:crypto';
import { hashed, type ChannelToken } from '@tollbridge/nanopay-protocol';
import type { RecordedResponse } from '../response-store';

/** The terms of a channel, and its identifiers at the ledger service. */
export interface ChannelFields {
  /** Confirmation id of the payment that opened the channel. */
  id: string;
  /** Digest of that payment. */
  digest: Buffer;
  /** 16 bytes. Only their holder can settle the channel. */
  callKey: Buffer;
  payer: string;
  seller: string;
  unitAtomic: bigint;
  length: number;
}

/** The stored fields of a channel that change. */
export interface ChannelProgress {
  /** Index of the last accepted link, and the link itself. At first this is the anchor, with index 0. */
  index: number;
  link: Buffer;
  /** The number of links that the last payment used, and a hash of the method and URL that it paid for. */
  lastUnits: number;
  lastFor: Buffer;
  /** True after the last link was served a second time, because its response was lost. */
  isLastRepeated: boolean;
  /** Units of failed requests, which are not charged. */
  refunded: number;
  settledIndex: number;
  /** Units that the ledger has charged. */
  settledUnits: number;
  /** Unix milliseconds, from the last reply of the ledger service. */
  endMs: number;
  /** True when no more links are accepted. The next settlement is the last one. */
  isClosing: boolean;
}

/**
 * The outcome of the request that the last link paid for. `unknown` after a crash or a broken connection. `unwritten`
 * if the request was not served because its record could not be written.
 */
export type LastRequest =
  | { status: 'running' | 'refunded' | 'unknown' | 'unwritten' }
  /** The response is undefined if it was not stored. */
  | { status: 'answered'; response: RecordedResponse | undefined };

/** A request that a link pays for. Its units are not charged until it has a response. */
export class LinkRequest {
  private isRunning = true;
  constructor(
    readonly channel: Channel,
    readonly index: number,
    readonly units: number,
  ) {
    channel.pending += units;
  }

  /** Ends the request: its units can be charged, or were refunded. */
  end(): void {
    if (!this.isRunning) return;
    this.isRunning = false;
    this.channel.pending -= this.units;
  }
}

/** This long before its end, a channel stops accepting links and is settled. */
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
  /** Units of requests that have no response yet. */
  pending = 0;
  last: LastRequest = { status: 'unknown' };
  lastRequest: LinkRequest | undefined;
  /** Index of the last refunded link. */
  refundedIndex = 0;
  /** Time of the ledger service's last confirmation of the channel; 0 before this process's first request. */
  confirmedMs = 0;
  /** Time of the acceptance of the first unsettled link. */
  unsettledMs = 0;
  usedMs = 0;
  isClosing: boolean;
  /** True when the log records that the channel is closing. Then a successor does not accept links either. */
  isClosingStored: boolean;
  /** The settlement in progress. */
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

  /** The units that can be charged now. Units of requests in progress may still be refunded. */
  get chargeable(): number {
    return Math.max(this.index - this.refunded - this.pending, this.settledUnits);
  }

  get isSettled(): boolean {
    return this.settledIndex === this.index && this.settledUnits === this.chargeable;
  }

  /**
   * Drops the last link's response when the next link arrives or the channel ends. The buyer does not need it any more.
   * @returns whether the link is refunded, because its request was never served
   */
  leaveLast(): boolean {
    const { last, lastRequest } = this;
    if (last.status === 'unknown') lastRequest?.end();
    if (last.status !== 'unwritten' || !lastRequest) return false;
    this.refund(lastRequest);
    return true;
  }

  /** Refunds the units of the link. */
  refund(request: LinkRequest): void {
    request.end();
    // A link that is served a second time may fail twice, but is refunded once.
    if (this.refundedIndex !== request.index) this.refunded += request.units;
    this.refundedIndex = request.index;
    if (this.lastRequest === request) this.last = { status: 'refunded' };
  }
}

const fingerprintBytes = 8;

/** Returns a short hash that identifies a resource in the log. */
export const fingerprintOf = (method: string, url: string): Buffer =>
  createHash('sha256').update(`${method}\n${url}`).digest().subarray(0, fingerprintBytes);

export const noFingerprint: Buffer = Buffer.alloc(fingerprintBytes);
