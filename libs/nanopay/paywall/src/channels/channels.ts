import { createHash, randomBytes } from 'node:crypto';
import {
  channelNoticeS,
  hashed,
  type ChannelOffer,
  type ChannelToken,
  type PresentedChannel,
} from '@tollbridge/nanopay-protocol';
import type { Charges } from '../charges';
import type { RecordedResponse, StoredResponse } from '../response-store';
import { Channel, LinkRequest, noFingerprint, stopBeforeEndMs, type ChannelFields } from './channel';
import { ChannelLog } from './channel-log';
import { readRecords, type RecordWriter } from './channel-records';
import type { AbandonedLog, ChannelStore } from './channel-store';
import { Settling } from './settling';

export interface ChannelsOptions {
  store: ChannelStore;
  /** Value of one link, in the smallest unit. By default the price of each route. */
  unit?: bigint | string;
  /** Longest time until the end of a channel. */
  maxLifeS?: number;
  /** A channel is settled this long after its first unsettled link was accepted. */
  settleEveryMs?: number;
  /** A channel is also settled after this number of links. */
  settleAfterLinks?: number;
  /** Maximum number of unsettled links of one channel. Further links are rejected. */
  maxUnsettledLinks?: number;
  /** A channel that is unused for this time is settled and closed. */
  closeIdleMs?: number;
  /** Maximum number of open channels of this process. */
  maxChannels?: number;
  /** A log above this size is replaced by a snapshot. */
  maxLogBytes?: number;
  /**
   * Called when the log cannot be written. Links then receive 503 until a retry succeeds, which happens every few
   * seconds. Also called when a channel cannot be settled, or the log of an ended process cannot be read.
   */
  onFailed?: (error: unknown) => void;
}

export type Taken =
  /** Serve the request only when the record is durable. */
  | { kind: 'accepted'; request: LinkRequest; durable: Promise<void> }
  | { kind: 'repeated'; response: StoredResponse | undefined }
  | { kind: 'running' | 'unavailable' }
  | { kind: 'rejected'; reason: 'channel' | 'duplicate' | 'amount'; channel: Channel | undefined };

export type Confirmed = Taken | { kind: 'unconfirmed'; confirm(): Promise<boolean> };

const running = { status: 'running' } as const;
/** Half of the buyer's notice period. The other half is the time for settlement. */
const confirmedForMs = (channelNoticeS * 1_000) / 2;
/** Maximum size of all stored responses together. */
const maxKeptBytes = 16 * 1024 * 1024;
const takeOverEveryMs = 5_000;
const takeOverPauseMs = 250;
const openEveryMs = 500;
/** Other processes wait this long, so that the replacement of an ended process takes over its log first. */
const takeOverAfterMs = 15_000;
/** Offers list former owners, and must fit into a header. */
const maxFormer = 4;

/** The channels of one paywall process: it verifies links, writes them to its log, and settles them later. */
export class Channels {
  readonly open: Map<string, Channel> = new Map();
  readonly owner: string = randomBytes(8).toString('hex');
  /** The owner of this process and the owners of adopted logs, with the secrets of their call keys. */
  private readonly owners = new Map<string, Buffer>([[this.owner, randomBytes(32)]]);
  private readonly log: ChannelLog;
  private readonly settling: Settling;
  private readonly opening = new Set<string>();
  private keptBytes = 0;
  private timer: NodeJS.Timeout | undefined;
  private openingStore: Promise<void> | undefined;
  private takingOver: Promise<void> | undefined;
  private tookOverMs = -Infinity;
  private isStoreOpen = false;
  private isClosed = false;
  /** Logs with channels that are in memory, but not yet in this process's log. */
  private readonly adopted = new Set<AbandonedLog>();
  readonly maxLifeS: number;
  private readonly maxUnsettledLinks: number;

  private constructor(
    private readonly options: ChannelsOptions,
    charges: Charges,
    private readonly clock: () => number,
  ) {
    const { store, maxLogBytes = 64 * 1024 * 1024, maxUnsettledLinks = 5_000 } = options;
    this.maxLifeS = options.maxLifeS ?? 7 * 86_400;
    this.maxUnsettledLinks = maxUnsettledLinks;
    this.log = new ChannelLog(store, maxLogBytes, (records) => this.writeAll(records), {
      failed: (error) => {
        this.offerVersion++;
        options.onFailed?.(error);
      },
      recovered: () => {
        this.offerVersion++;
        void this.dropAdopted();
      },
    });
    this.settling = new Settling(charges, this.log, clock, {
      everyMs: options.settleEveryMs ?? 10_000,
      afterLinks: options.settleAfterLinks ?? 500,
      closeIdleMs: options.closeIdleMs ?? 600_000,
      onClosed: (channel) => this.forget(channel),
      onFailed: (error) => options.onFailed?.(error),
    });
  }

  /** Opens the store, and takes over the channels of ended processes. Retries while the store cannot be opened. */
  static async start(options: ChannelsOptions, charges: Charges, clock: () => number): Promise<Channels> {
    const channels = new Channels(options, charges, clock);
    await channels.openStore().catch((error: unknown) => {
      options.onFailed?.(error);
      channels.openStoreLater();
    });
    return channels;
  }

  private async openStore(): Promise<void> {
    await this.options.store.open(this.owner);
    this.isStoreOpen = true;
    this.offerVersion++;
    this.writeAll(this.log.records);
    // If this write fails, the log retries it later.
    await this.log.written().catch(() => undefined);
    await this.takeOver(0);
    this.settling.start(this.open);
    this.timer = setInterval(() => void this.takeOver(takeOverAfterMs), takeOverEveryMs).unref();
  }

  private openStoreLater(): void {
    const retry = (): Promise<void> => this.openStore().catch(() => this.openStoreLater());
    this.timer = setTimeout(() => void (this.openingStore = retry()), openEveryMs).unref();
  }

  /** False while the log cannot be written. */
  get isAvailable(): boolean {
    return this.isStoreOpen && !this.log.hasFailed && !this.isClosed;
  }

  /** Increases whenever the offers change. */
  offerVersion = 0;

  /** Returns undefined while no channel can be opened. */
  offerFor(amountAtomic: bigint): ChannelOffer | undefined {
    if (!this.isAvailable) return undefined;
    const unit = (this.options.unit ?? amountAtomic).toString();
    const former = [...this.owners.keys()].slice(1).slice(-maxFormer);
    return {
      owner: this.owner,
      ...(former.length > 0 && { former }),
      unit,
      maxLifeSeconds: this.maxLifeS,
    };
  }

  /**
   * The call key of an opening payment. It is the same in every process that has the owner's log. Undefined for an
   * unknown owner.
   */
  callKeyOf({ owner }: PresentedChannel, digest: Uint8Array): Buffer | undefined {
    const secret = this.owners.get(owner);
    return secret && createHash('sha256').update(secret).update(digest).digest().subarray(0, 16);
  }

  get isFull(): boolean {
    return this.open.size + this.opening.size >= (this.options.maxChannels ?? 100_000);
  }

  /** Runs one opening at a time for each channel. Resolves to undefined if it is already running. */
  async openOnce<T>(id: string, work: () => Promise<T>): Promise<T | undefined> {
    if (this.opening.has(id)) return undefined;
    this.opening.add(id);
    try {
      return await work();
    } finally {
      this.opening.delete(id);
    }
  }

  /** Whether the first link belongs to the channel, and the end of the channel is within the allowed range. */
  isAcceptable({ index, link, anchor, endS }: PresentedChannel, units: number): boolean {
    const lifeMs = Number(endS) * 1_000 - this.clock();
    if (lifeMs <= stopBeforeEndMs || lifeMs > this.maxLifeS * 1_000) return false;
    return index === units && hashed(link, units).equals(anchor);
  }

  /** Adds a channel that the ledger service has opened. Its first link follows in the same turn of the event loop. */
  add(fields: ChannelFields, { anchor, endS }: PresentedChannel): void {
    const known = this.open.get(fields.id);
    if (known) return;
    const channel = new Channel({
      ...fields,
      index: 0,
      link: anchor,
      lastUnits: 0,
      lastFor: noFingerprint,
      isLastRepeated: false,
      refunded: 0,
      settledIndex: 0,
      settledUnits: 0,
      endMs: Number(endS) * 1_000,
      isClosing: false,
    });
    channel.confirmedMs = channel.usedMs = this.clock();
    this.open.set(fields.id, channel);
    this.log.records.channel(channel);
  }

  /**
   * Accepts a link. Nothing is awaited between its check and its record.
   * @param units the price in units of the channel
   * @param resource see `fingerprintOf`
   */
  take(token: ChannelToken, seller: string, units: number, resource: Buffer): Confirmed {
    const channel = this.open.get(token.id);
    if (!channel || channel.seller !== seller)
      return { kind: 'rejected', reason: 'channel', channel: undefined };
    if (token.index <= channel.index) return this.takeAgain(channel, token, units, resource);
    if (!this.isAvailable) return { kind: 'unavailable' };
    const nowMs = this.clock();
    if (channel.isClosing || nowMs >= channel.endMs - stopBeforeEndMs)
      return { kind: 'rejected', reason: 'channel', channel };
    if (nowMs - channel.confirmedMs > confirmedForMs)
      return { kind: 'unconfirmed', confirm: () => this.settling.confirm(channel) };
    if (!channel.isNext(token, units)) {
      const reason = token.index === channel.index + units ? 'channel' : 'amount';
      return { kind: 'rejected', reason, channel };
    }
    if (channel.index - channel.settledIndex >= this.maxUnsettledLinks) return { kind: 'unavailable' };
    if (channel.isSettled) channel.unsettledMs = nowMs;
    if (channel.leaveLast()) this.log.records.refund(channel);
    channel.index = token.index;
    channel.link = token.link;
    channel.lastUnits = units;
    channel.lastFor = resource;
    channel.isLastRepeated = false;
    channel.usedMs = nowMs;
    this.log.records.link(channel);
    return this.accepted(channel, units, 'unwritten');
  }

  /** @param ifUnwritten status of the link's request if its record cannot be written */
  private accepted(channel: Channel, units: number, ifUnwritten: 'unknown' | 'unwritten'): Taken {
    this.dropResponse(channel);
    const request = new LinkRequest(channel, channel.index, units);
    channel.last = running;
    channel.lastRequest = request;
    this.settling.used(channel);
    const durable = this.log.written();
    durable.catch(() => this.notWritten(request, ifUnwritten));
    return { kind: 'accepted', request, durable };
  }

  /** The request receives a 503. The same link is accepted again when the log can be written. */
  private notWritten(request: LinkRequest, status: 'unknown' | 'unwritten'): void {
    const { channel } = request;
    if (channel.lastRequest === request) {
      channel.last = { status };
      channel.isLastRepeated = false;
    } else if (status === 'unwritten') channel.refund(request);
    else request.end();
  }

  /**
   * Handles a link that was accepted before. A retry of the last link receives the stored response, or is served if the
   * response was lost.
   */
  private takeAgain(channel: Channel, token: ChannelToken, units: number, resource: Buffer): Taken {
    const isLast = token.index === channel.index && token.link.equals(channel.link);
    const isSame = isLast && channel.lastUnits === units && channel.lastFor.equals(resource);
    if (!isSame) return { kind: 'rejected', reason: 'duplicate', channel };
    const { last } = channel;
    if (last.status === 'answered') return { kind: 'repeated', response: last.response?.take() };
    if (last.status === 'running') return { kind: 'running' };
    const isUnwritten = last.status === 'unwritten';
    if (last.status === 'refunded' || (channel.isLastRepeated && !isUnwritten))
      return { kind: 'rejected', reason: 'duplicate', channel };
    if (!this.isAvailable) return { kind: 'unavailable' };
    channel.lastRequest?.end();
    if (isUnwritten) {
      // The snapshot contains the link. After a later crash the link may be served once more, like any other link.
      this.log.records.link(channel);
      return this.accepted(channel, units, 'unwritten');
    }
    channel.isLastRepeated = true;
    this.log.records.repeated(channel);
    return this.accepted(channel, units, 'unknown');
  }

  /** The request of this link has a response, so its units can be charged. */
  answered(request: LinkRequest, response: RecordedResponse | undefined): void {
    request.end();
    const { channel } = request;
    if (channel.lastRequest !== request) return;
    const length = response?.byteLength ?? 0;
    const isKept = response !== undefined && this.keptBytes + length <= maxKeptBytes;
    channel.last = { status: 'answered', response: isKept ? response : undefined };
    if (isKept) this.keptBytes += length;
  }

  /** The connection broke before the response, so the link may be presented once more. */
  broken(request: LinkRequest): void {
    const { channel } = request;
    if (channel.lastRequest === request && channel.last === running) channel.last = { status: 'unknown' };
  }

  /** The request failed, so its units are not charged. Resolves when the refund is durable. */
  refund(request: LinkRequest): Promise<void> {
    const { channel } = request;
    channel.refund(request);
    this.log.records.refund(channel);
    return this.log.written();
  }

  /** Takes over logs of ended processes: at the start, by a timer, and when an unknown channel is presented. */
  takeOver(afterMs: number): Promise<void> {
    if (this.takingOver) return this.takingOver;
    if (!this.isAvailable || performance.now() - this.tookOverMs < takeOverPauseMs) return Promise.resolve();
    this.takingOver = this.takeOverNow(afterMs).finally(() => {
      this.takingOver = undefined;
      this.tookOverMs = performance.now();
    });
    return this.takingOver;
  }

  private async takeOverNow(afterMs: number): Promise<void> {
    const onFailed = (error: unknown): void => this.options.onFailed?.(error);
    const logs = await this.options.store.takeOver(afterMs).catch(onFailed);
    for (const log of logs ?? []) await this.adopt(log).catch(onFailed);
  }

  /** Adopts the channels of a log. They are stored in this process's log before the former log is dropped. */
  private async adopt(log: AbandonedLog): Promise<void> {
    const { owners, channels } = readRecords(log.batches);
    for (const [owner, secret] of owners) {
      this.owners.set(owner, secret);
      this.log.records.owner(owner, secret);
    }
    for (const channel of channels.values()) {
      if (this.open.has(channel.id)) continue;
      channel.usedMs = channel.unsettledMs = this.clock();
      // The buyer may present the last link again.
      const { index, lastUnits, settledIndex, isLastRepeated } = channel;
      if (index > settledIndex && !isLastRepeated)
        channel.lastRequest = new LinkRequest(channel, index, lastUnits);
      this.open.set(channel.id, channel);
      this.log.records.channel(channel);
      this.settling.used(channel);
    }
    this.offerVersion++;
    this.adopted.add(log);
    await this.log.written();
    await this.dropAdopted();
  }

  private async dropAdopted(): Promise<void> {
    const logs = [...this.adopted];
    this.adopted.clear();
    // A log that is not dropped is read before this process's log, which has the later state.
    for (const { drop } of logs) await drop().catch((error: unknown) => this.options.onFailed?.(error));
  }

  private writeAll(records: RecordWriter): void {
    for (const [owner, secret] of this.owners) records.owner(owner, secret);
    for (const channel of this.open.values()) records.channel(channel);
  }

  private forget(channel: Channel): void {
    this.dropResponse(channel);
    this.open.delete(channel.id);
    this.log.records.closed(channel);
    this.log.written().catch(() => undefined);
  }

  private dropResponse({ last }: Channel): void {
    if (last.status === 'answered') this.keptBytes -= last.response?.byteLength ?? 0;
  }

  settle(): Promise<void> {
    return this.settling.settleAll();
  }

  /** Settles all channels and leaves them open for the next process. */
  async close(): Promise<void> {
    if (this.isClosed) return;
    clearInterval(this.timer);
    await this.openingStore;
    clearInterval(this.timer);
    await this.takingOver;
    await this.settling.stop();
    this.isClosed = true;
    this.offerVersion++;
    if (!this.isStoreOpen) return;
    await this.log.written().catch(() => undefined);
    await this.log.close();
    await this.options.store.close();
  }
}
