import { channelGraceS, type ChannelTerms } from '@tollbridge/nanopay-protocol';
import { ownBytes } from '../own-bytes';

/** A channel of a held payment. The seller charges parts of the hold with the links that the buyer reveals. */
export interface Channel {
  unitAtomic: bigint;
  length: number;
  anchor: Buffer;
  /** Unix milliseconds. It becomes earlier when the buyer closes the channel. */
  endMs: number;
  /** The last settled link, at first the anchor, and its index. */
  index: number;
  link: Buffer;
  /** Charged links so far: the index less refunded links. */
  units: number;
  isOpen: boolean;
}

/** The state of a channel that a seller requests to settle. */
export interface Settlement {
  index: number;
  link: Buffer;
  /** Charged links in total. */
  units: number;
  isLast: boolean;
}

/** Maximum of open channels per payer, because each stays in memory until it ends. */
export const maxChannelsPerPayer = 100;

export function newChannel({ unitAtomic, length, anchor: presented, endS }: ChannelTerms): Channel {
  const anchor = ownBytes(presented);
  const endMs = Number(endS) * 1000;
  return { unitAtomic, length, anchor, endMs, index: 0, link: anchor, units: 0, isOpen: true };
}

/** Returns the time when the remainder of the reservation is released. */
export const releasedMs = ({ endMs }: Channel): number => endMs + channelGraceS * 1000;
