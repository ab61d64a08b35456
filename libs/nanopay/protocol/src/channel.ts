import type { PaymentTerms } from './signed-bytes';
import { channelBytes, digestOf, flags, settlementBytes } from './signed-bytes';

/** The terms of a channel. The reservation is `length` times `unitAtomic`. */
export interface ChannelTerms {
  /** Value of one link, in the smallest unit of the asset. */
  unitAtomic: bigint;
  /** Number of links. */
  length: number;
  /** The hash of the first revealed link. */
  anchor: Buffer;
  /** Unix seconds. Later links have no value. */
  endS: bigint;
}

/** A channel that a buyer opens, with its first link and the paywall process that the buyer addresses. */
export interface PresentedChannel extends ChannelTerms {
  index: number;
  link: Buffer;
  /** The value of `extra.channel.owner` in the offer. */
  owner: string;
}

/** Maximum lifetime of a channel, so that an abandoned channel does not lock funds for longer. */
export const maxChannelLifeS: number = 31 * 86_400;
/** Maximum number of links of a channel. */
export const maxChannelLinks = 1_000_000;
/** Maximum number of hashes of one settlement, which take about a millisecond. A longer step is settled in parts. */
export const maxSettlementHashes = 1_024;
/** Notice period: the seller can settle for this long after a buyer closes a channel. */
export const channelNoticeS = 900;
/** The ledger accepts settlements for this long after the end of a channel. */
export const channelGraceS = 60;

/** The hash of a channel. The payment that opens the channel signs it instead of the hash of a resource. */
export const channelHash = (channel: ChannelTerms): Buffer => digestOf(channelBytes(channel));

/**
 * The digest in the receipt of a settlement.
 * @param channelDigest of the payment that opened the channel
 * @param units total charged by this settlement and all earlier ones, in links
 */
export const settlementDigest = (channelDigest: Uint8Array, units: number): Buffer =>
  digestOf(settlementBytes(channelDigest, units));

const channelFlags = flags.channel | flags.upTo;

/** Whether this payment opens this channel and may open it now. Does not verify the signature. */
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

/** A link of an open channel, in the form that a buyer sends. */
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

/** Parses a token of `ch1.`, id, index and link, separated by points. Returns undefined for anything else. */
export function readChannelToken(text: string): ChannelToken | undefined {
  const indexEnd = text.length - linkChars - 1;
  if (indexEnd <= idEnd || text.length > 100 || !text.startsWith(channelPrefix)) return undefined;
  if (text[idEnd] !== '.' || text[indexEnd] !== '.') return undefined;
  const [id, index] = [text.slice(channelPrefix.length, idEnd), text.slice(idEnd + 1, indexEnd)];
  if (!idForm.test(id) || !indexForm.test(index)) return undefined;
  const link = Buffer.from(text.slice(indexEnd + 1), 'base64url');
  return link.length === 32 ? { id, index: Number(index), link } : undefined;
}
