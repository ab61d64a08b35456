import type { PaymentTerms } from './signed-bytes';
import { channelBytes, digestOf, flags, settlementBytes } from './signed-bytes';

/** What a channel is: the reservation is `length` times `unitAtomic`. */
export interface ChannelTerms {
  /** What one link is worth, in the smallest unit of the asset. */
  unitAtomic: bigint;
  /** Number of links. */
  length: number;
  /** The hash of the first revealed link. */
  anchor: Buffer;
  /** Unix seconds: later links are worth nothing. */
  endS: bigint;
}

/** A channel that a buyer opens, its first link, and the paywall process that the buyer addresses. */
export interface PresentedChannel extends ChannelTerms {
  index: number;
  link: Buffer;
  /** As in `extra.channel.owner` of the offer. */
  owner: string;
}

/** No forgotten channel locks money for longer. */
export const maxChannelLifeS: number = 31 * 86_400;
/** Links of one channel. */
export const maxChannelLinks = 1_000_000;
/** Hashes of one settlement: they take about a millisecond. A longer step is settled in parts. */
export const maxSettlementHashes = 1_024;
/** The seller can settle this long after a buyer closes a channel. */
export const channelNoticeS = 900;
/** The ledger takes settlements for this long after the end of a channel. */
export const channelGraceS = 60;

/** The hash that a payment which opens a channel signs in place of that of a resource. */
export const channelHash = (channel: ChannelTerms): Buffer => digestOf(channelBytes(channel));

/**
 * The digest in the receipt of a settlement.
 * @param channelDigest of the payment that opened the channel
 * @param units what is charged with this settlement and all before it, in links
 */
export const settlementDigest = (channelDigest: Uint8Array, units: number): Buffer =>
  digestOf(settlementBytes(channelDigest, units));

const channelFlags = flags.channel | flags.upTo;

/** Whether this payment opens this channel, and may do so now. Does not check its signature. */
export function isChannelOf(
  { unitAtomic, length, anchor, endS }: ChannelTerms,
  terms: Pick<PaymentTerms, 'flags' | 'amountAtomic' | 'resourceHash'>,
  nowS: number,
): boolean {
  const now = BigInt(Math.floor(nowS));
  if ((terms.flags & ~flags.session) !== channelFlags) return false;
  if (unitAtomic < 1n || length < 1 || length > maxChannelLinks) return false;
  if (unitAtomic * BigInt(length) !== terms.amountAtomic) return false;
  if (endS <= now || endS > now + BigInt(maxChannelLifeS)) return false;
  return channelHash({ unitAtomic, length, anchor, endS }).equals(terms.resourceHash);
}

/** A link of an open channel as a buyer sends it. */
export interface ChannelToken {
  /** Confirmation id of the payment that opened the channel: 32 hexadecimal digits. */
  id: string;
  /** Number of hashes from the link to the anchor. */
  index: number;
  link: Buffer;
}

export const channelPrefix = 'ch1.';
const idEnd = channelPrefix.length + 32;
const linkChars = 43;
const indexForm = /^[1-9][0-9]{0,6}$/;
const idForm = /^[0-9a-f]{32}$/;

export const channelToken = ({ id, index, link }: ChannelToken): string =>
  `${channelPrefix}${id}.${index}.${link.toString('base64url')}`;

/** Undefined unless the string is `ch1.`, id, index and link, separated by points. */
export function readChannelToken(text: string): ChannelToken | undefined {
  const indexEnd = text.length - linkChars - 1;
  if (indexEnd <= idEnd || text.length > 100 || !text.startsWith(channelPrefix)) return undefined;
  if (text[idEnd] !== '.' || text[indexEnd] !== '.') return undefined;
  const [id, index] = [text.slice(channelPrefix.length, idEnd), text.slice(idEnd + 1, indexEnd)];
  if (!idForm.test(id) || !indexForm.test(index)) return undefined;
  const link = Buffer.from(text.slice(indexEnd + 1), 'base64url');
  return link.length === 32 ? { id, index: Number(index), link } : undefined;
}
