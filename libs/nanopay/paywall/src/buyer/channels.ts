import type { ChannelOffer } from '@tollbridge/nanopay-protocol';
import type { OfferToPay, Payable } from '../payable';
import type { Budget } from './budget';
import { BuyerChannel, type BuyerChannelState } from './channel';

export interface BuyerChannelOptions {
  /**
   * The amount to reserve for one seller at a time, in the smallest unit. It counts against `maxTotal` while the
   * channel is open.
   */
  reserve: bigint | string;
  /** Time until the end of a channel. Sellers may allow less. */
  validForS?: number;
  /** Maximum number of channels with one seller, for concurrent requests. */
  maxOpen?: number;
}

/** All links are in memory, with 32 bytes each. */
const maxLinks = 20_000;
/** A channel with fewer links is not worth its opening. */
const minLinks = 4;
/** After a seller has failed to open a channel, the buyer pays by signatures for this long. */
const pauseMs = 60_000;

/** The channels of a buyer. Opens a channel if the seller offers it and the budget allows it. */
export class BuyerChannels {
  private readonly all = new Set<BuyerChannel>();
  private readonly pausedUntilMs = new Map<string, number>();
  private readonly reserveAtomic: bigint;

  constructor(
    private readonly options: BuyerChannelOptions,
    private readonly budget: Budget,
    private readonly clock: () => number,
  ) {
    this.reserveAtomic = BigInt(options.reserve);
    if (this.reserveAtomic < 1n) throw new TypeError('reserve must be a whole number above 0.');
  }

  get states(): BuyerChannelState[] {
    return [...this.all].filter(({ isOpen }) => isOpen).map(({ state }) => state);
  }

  /** Returns the channel that pays this offer, or undefined if a signature is required. */
  channelFor({ extra }: OfferToPay, payable: Payable): BuyerChannel | undefined {
    const offer = channelOfferOf(extra?.channel);
    if (!offer || !this.budget.allows(payable.amountAtomic)) return undefined;
    const nowMs = this.clock();
    const usable = [...this.all].filter((channel) => channel.canPay(payable, offer, nowMs));
    const free = usable.find(({ waiting }) => waiting === 0);
    if (free) return free;
    const isPaused = (this.pausedUntilMs.get(offer.owner) ?? 0) > nowMs;
    const mayOpen = usable.length < (this.options.maxOpen ?? 4) && !isPaused;
    const opened = mayOpen ? this.open(offer, payable, nowMs) : undefined;
    return opened ?? usable.sort((one, other) => one.waiting - other.waiting)[0];
  }

  /** Whether the channel still belongs to this buyer and can pay this offer now. */
  canPay(channel: BuyerChannel, { extra }: OfferToPay, payable: Payable): boolean {
    const offer = channelOfferOf(extra?.channel);
    return offer !== undefined && this.all.has(channel) && channel.canPay(payable, offer, this.clock());
  }

  private open(offer: ChannelOffer, payable: Payable, nowMs: number): BuyerChannel | undefined {
    const unitAtomic = BigInt(offer.unit);
    if (payable.amountAtomic % unitAtomic !== 0n) return undefined;
    this.dropEnded(nowMs);
    const { left } = this.budget;
    const amountAtomic = this.reserveAtomic < left ? this.reserveAtomic : left;
    const links = Number(amountAtomic / unitAtomic);
    const length = Math.min(Number.isSafeInteger(links) ? links : maxLinks, maxLinks);
    if (length < minLinks || BigInt(length) * unitAtomic < payable.amountAtomic) return undefined;
    const charged = this.budget.reserveTotal(BigInt(length) * unitAtomic);
    if (typeof charged === 'string') return undefined;
    const lifeS = Math.min(this.options.validForS ?? 86_400, offer.maxLifeSeconds);
    const endS = BigInt(Math.floor(nowMs / 1_000) + lifeS);
    const channel = new BuyerChannel(payable, offer.owner, unitAtomic, length, endS, charged);
    this.all.add(channel);
    return channel;
  }

  /** Removes a channel. The seller can still charge the revealed links. */
  drop(channel: BuyerChannel): void {
    if (this.all.delete(channel)) channel.charged(channel.spentAtomic);
  }

  /** Pauses channels with a seller after a channel was not opened. */
  pause({ extra }: OfferToPay): void {
    const offer = channelOfferOf(extra?.channel);
    if (offer) this.pausedUntilMs.set(offer.owner, this.clock() + pauseMs);
  }

  private dropEnded(nowMs: number): void {
    for (const channel of this.all) if (channel.hasEnded(nowMs)) this.drop(channel);
    for (const [owner, untilMs] of this.pausedUntilMs) if (untilMs <= nowMs) this.pausedUntilMs.delete(owner);
  }
}

function channelOfferOf(value: unknown): ChannelOffer | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { owner, former, unit, maxLifeSeconds } = value as Record<string, unknown>;
  const isOwner = typeof owner === 'string' && owner.length > 0 && owner.length <= 64;
  const isUnit = typeof unit === 'string' && /^[1-9][0-9]{0,18}$/.test(unit);
  const isLife = typeof maxLifeSeconds === 'number' && maxLifeSeconds >= 120;
  if (!isOwner || !isUnit || !isLife) return undefined;
  const list = Array.isArray(former) ? former.filter((name) => typeof name === 'string') : [];
  return { owner, former: list, unit, maxLifeSeconds: Math.floor(maxLifeSeconds) };
}
