import {
  chargeItem,
  confirmationIdOf,
  maxHashesPerPayment,
  readChannelToken,
  type ChannelToken,
  type Deployment,
  type PaymentTerms,
  type PresentedPayment,
  type Rejection,
} from '@tollbridge/nanopay-protocol';
import type { AttemptResult, Charges } from '../charges';
import { fingerprintOf, type Channel } from './channel';
import type { ChannelSale } from './channel-answers';
import type { Channels, Taken } from './channels';

/** The price of a request for payments by channels. It is computed once for each price. */
export interface ChannelPrice {
  seller: string;
  amountAtomic: bigint;
  /** See `fingerprintOf`. */
  resource: Buffer;
  /** The last used unit, and the price in this unit. Nearly all channels of a price have the same unit. */
  unitAtomic: bigint;
  units: number;
}

export type Outcome =
  | Exclude<Taken, { kind: 'rejected' }>
  | { kind: 'rejected'; reason: Rejection; channel?: Channel | undefined }
  /** The ledger service has not opened the channel, or the outcome is unknown. */
  | { kind: 'not opened'; result: Exclude<AttemptResult, { status: 'done' }> };

const reasons = {
  channel: 'invalid_ton_nanopay_channel',
  duplicate: 'duplicate_settlement',
  amount: 'invalid_ton_nanopay_amount_mismatch',
} as const satisfies Record<string, Rejection>;
const rejectedChannel = { kind: 'rejected', reason: reasons.channel } as const;
const unavailable = { kind: 'unavailable' } as const;

/** While the log cannot be written, an unknown channel may be in a log that cannot be taken over. */
const unknownChannel = ({ isAvailable }: Channels): Outcome => (isAvailable ? rejectedChannel : unavailable);

export const channelPrice = (
  seller: string,
  amountAtomic: bigint,
  method: string,
  url: string,
): ChannelPrice => ({
  seller,
  amountAtomic,
  resource: fingerprintOf(method, url),
  unitAtomic: amountAtomic,
  units: 1,
});

/**
 * Returns the price in units of a channel. Returns 0 if the price is not a multiple of the unit or needs too many
 * hashes for one payment.
 */
function unitsOf(price: ChannelPrice, unitAtomic: bigint): number {
  if (price.unitAtomic === unitAtomic) return price.units;
  const units = price.amountAtomic / unitAtomic;
  const isWhole = units * unitAtomic === price.amountAtomic && units <= BigInt(maxHashesPerPayment);
  price.unitAtomic = unitAtomic;
  price.units = isWhole ? Number(units) : 0;
  return price.units;
}

/**
 * Accepts the link of a header `ch1.…`. Returns undefined for a malformed header. Not async, because most links need no
 * wait before their record.
 */
export function takeLink(
  text: string,
  price: ChannelPrice,
  { channels }: ChannelSale,
): Outcome | Promise<Outcome> | undefined {
  const token = readChannelToken(text);
  if (!token) return undefined;
  if (!channels.open.has(token.id)) return takeUnknown(channels, token, price);
  return takeKnown(channels, token, price);
}

/** Takes over the channel if its process has just ended. */
async function takeUnknown(channels: Channels, token: ChannelToken, price: ChannelPrice): Promise<Outcome> {
  await channels.takeOver(0);
  return takeKnown(channels, token, price);
}

function takeKnown(channels: Channels, token: ChannelToken, price: ChannelPrice): Outcome | Promise<Outcome> {
  const channel = channels.open.get(token.id);
  if (!channel) return unknownChannel(channels);
  const units = unitsOf(price, channel.unitAtomic);
  if (units === 0) return { kind: 'rejected', reason: reasons.amount, channel };
  const taken = channels.take(token, price.seller, units, price.resource);
  if (taken.kind === 'rejected') return { ...taken, reason: reasons[taken.reason] };
  if (taken.kind !== 'unconfirmed') return taken;
  return taken
    .confirm()
    .then((isConfirmed) => (isConfirmed ? takeKnown(channels, token, price) : unavailable));
}

/** A payment that opens a channel. Its first link pays for the request. */
export interface Opening {
  presented: PresentedPayment;
  terms: PaymentTerms;
  digest: Buffer;
  deployment: Deployment;
  nowMs: number;
}

/**
 * Reserves the amount at the ledger service and accepts the first link. The same payment again is a retry with that
 * link.
 */
export async function openChannel(
  opening: Opening,
  price: ChannelPrice,
  { channels }: ChannelSale,
  charges: Charges,
): Promise<Outcome> {
  const { digest, terms, presented } = opening;
  const channel = presented.channel!;
  const id = confirmationIdOf(digest);
  const token = { id, index: channel.index, link: channel.link };
  if (channels.open.has(id)) return takeKnown(channels, token, price);
  let callKey = channels.callKeyOf(channel, digest);
  if (!callKey) {
    await channels.takeOver(0);
    callKey = channels.callKeyOf(channel, digest);
  }
  const units = unitsOf(price, channel.unitAtomic);
  if (!channels.isAvailable) return unavailable;
  if (!callKey || units === 0 || !channels.isAcceptable(channel, units)) return rejectedChannel;
  if (channels.open.has(id)) return takeKnown(channels, token, price);
  if (channels.isFull) return unavailable;
  const call = { kind: 'hold', holdS: 0, amountAtomic: terms.amountAtomic, callKey } as const;
  const item = chargeItem(presented, terms, call);
  const opened = await channels.openOnce(id, async (): Promise<Outcome> => {
    const result = await charges.attempt(item, terms.validBeforeS, opening.nowMs);
    if (result.status !== 'done') return { kind: 'not opened', result };
    const { from: payer, to: seller } = terms;
    const { unitAtomic, length } = channel;
    channels.add({ id, digest, callKey, payer, seller, unitAtomic, length }, channel);
    return takeKnown(channels, token, price);
  });
  return opened ?? { kind: 'running' };
}
