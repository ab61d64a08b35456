import { hashed, maxSettlementHashes, type Rejection, type SettleItem } from '@tollbridge/nanopay-protocol';
import type { Charges } from '../charges';
import { stopBeforeEndMs, type Channel } from './channel';
import type { ChannelLog } from './channel-log';

export interface SettlingOptions {
  everyMs: number;
  afterLinks: number;
  closeIdleMs: number;
  /** Called when the ledger has closed the channel. */
  onClosed(channel: Channel): void;
  /** Called when the ledger rejects the settlement of a channel. */
  onFailed(error: Error): void;
}

const tickMs = 1_000;
/** A channel is closed this long before its end, even if requests are still in progress. */
const lastChanceMs = 20_000;

/**
 * Settles channels with the ledger service: after a time, after a number of links, before their end, and when they are
 * idle.
 */
export class Settling {
  private readonly dirty = new Set<Channel>();
  private timer: NodeJS.Timeout | undefined;
  private open: ReadonlyMap<string, Channel> = new Map();

  constructor(
    private readonly charges: Charges,
    private readonly log: ChannelLog,
    private readonly clock: () => number,
    private readonly options: SettlingOptions,
  ) {}

  start(open: ReadonlyMap<string, Channel>): void {
    this.open = open;
    this.timer = setInterval(() => this.tick(), Math.min(tickMs, this.options.everyMs)).unref();
  }

  /** Marks that links of the channel await settlement. */
  used(channel: Channel): void {
    this.dirty.add(channel);
    const isEnough = channel.index - channel.settledIndex >= this.options.afterLinks;
    if (isEnough && !channel.settlement) void this.settle(channel);
  }

  private tick(): void {
    const nowMs = this.clock();
    for (const channel of this.open.values()) this.closeInTime(channel, nowMs);
    for (const channel of this.dirty) {
      if (channel.isSettled) this.dirty.delete(channel);
      else if (nowMs - channel.unsettledMs >= this.options.everyMs) void this.settle(channel);
    }
  }

  private closeInTime(channel: Channel, nowMs: number): void {
    const leftMs = channel.endMs - nowMs;
    const isIdle = nowMs - channel.usedMs >= this.options.closeIdleMs;
    if (leftMs > stopBeforeEndMs && !isIdle && !channel.isClosing) return;
    if (!channel.isClosing) {
      // No link is accepted from here on.
      channel.isClosing = true;
      this.log.records.closing(channel);
    }
    if (channel.leaveLast()) this.log.records.refund(channel);
    if (!channel.isClosingStored) return this.storeClosing(channel, nowMs);
    if (channel.pending === 0 || leftMs < lastChanceMs) void this.settle(channel);
  }

  /**
   * Records that the channel is closing. The last settlement can arrive late, and a successor must not accept links
   * until then.
   */
  private storeClosing(channel: Channel, nowMs: number): void {
    const stored = (): void => {
      channel.isClosingStored = true;
      this.closeInTime(channel, nowMs);
    };
    this.log.written().then(stored, () => undefined);
  }

  /** Whether the ledger service has confirmed that the channel is open. */
  async confirm(channel: Channel): Promise<boolean> {
    const beforeMs = channel.confirmedMs;
    await this.settle(channel);
    return channel.confirmedMs > beforeMs;
  }

  /** Never rejects. Runs one settlement at a time for each channel, and all callers share the one in progress. */
  private settle(channel: Channel): Promise<void> {
    channel.settlement ??= this.settleNow(channel).finally(() => (channel.settlement = undefined));
    return channel.settlement;
  }

  /** Repeats settlements until all links are settled, because one settlement covers a limited number of links. */
  private async settleNow(channel: Channel): Promise<void> {
    for (;;) {
      const item = itemOf(channel);
      const outcome = await this.charges.settle(item, channel.digest);
      if (outcome.status === 'rejected') return this.rejected(channel, outcome.reason);
      if (outcome.status !== 'settled') return;
      this.settled(channel, item, outcome);
      if (!outcome.isOpen) return this.closed(channel);
      if (channel.index - item.index < this.options.afterLinks) return;
    }
  }

  private settled(channel: Channel, item: SettleItem, outcome: { units: number; endMs: bigint }): void {
    channel.settledIndex = Math.max(channel.settledIndex, item.index);
    channel.settledUnits = outcome.units;
    channel.endMs = Number(outcome.endMs);
    channel.confirmedMs = channel.unsettledMs = this.clock();
    if (channel.isSettled) this.dirty.delete(channel);
    // Written without waiting: after a crash the same settlement is repeated, which changes nothing.
    if (!this.log.hasFailed) this.log.records.settled(channel);
  }

  /** The ledger does not recognise the channel or its key, so the channel can never be settled. */
  private rejected(channel: Channel, reason: Rejection): void {
    // The gateway has not forwarded the settlement.
    if (reason === 'rate_limited') return;
    this.options.onFailed(new Error(`The channel ${channel.id} cannot be settled: ${reason}`));
    this.closed(channel);
  }

  private closed(channel: Channel): void {
    channel.isClosing = true;
    this.dirty.delete(channel);
    this.options.onClosed(channel);
  }

  /** Settles the remaining links, with at most one further settlement for each channel. */
  async settleAll(): Promise<void> {
    await Promise.all([...this.dirty].map((channel) => this.settleWhole(channel)));
  }

  private async settleWhole(channel: Channel): Promise<void> {
    // The settlement in progress may cover fewer links.
    await channel.settlement;
    if (!channel.isSettled) await this.settle(channel);
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.settleAll();
  }
}

/** The next settlement of a channel. An intermediate link is computed by hashing the last link. */
function itemOf(channel: Channel): SettleItem {
  const { callKey, id, settledIndex, isClosingStored } = channel;
  const index = Math.min(channel.index, settledIndex + maxSettlementHashes);
  return {
    kind: 'settle',
    callKey,
    confirmationId: Buffer.from(id, 'hex'),
    index,
    link: hashed(channel.link, channel.index - index),
    units: Math.min(channel.chargeable, index),
    isLast: isClosingStored && index === channel.index,
  };
}
