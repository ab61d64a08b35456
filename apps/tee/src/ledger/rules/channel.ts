import { channelGraceS, type ChannelTerms } from '@tollbridge/nanopay-protocol';
import { ownBytes } from '../own-bytes';

/** A channel of a held payment: the seller charges parts of the hold by the links that the buyer reveals. */
export interface Channel {
  unitAtomic: bigint;
  length: number;
  anchor: Buffer;
  /** Unix milliseconds; a buyer that closes the channel brings it forward. */
  endMs: number;
  /** The last settled link, at first the anchor, and its index. */
  index: number;
  link: Buffer;
  /** Charged so far, in links: the index less refunded links. */
  units: number;
  isOpen: boolean;
}

/** The state of a channel that a seller asks for. */
export interface Settlement {
  index: number;
  link: Buffer;
  /** Charged in total, in links. */
  units: number;
  isLast: boolean;
}

/** Open channels of one payer. Each stays in memory until it ends. */
export const maxChannelsPerPayer = 100;

export function newChannel({ unitAtomic, length, anchor: presented, endS }: ChannelTerms): Channel {
  const anchor = ownBytes(presented);
  const endMs = Number(endS) * 1000;
  return { unitAtomic, length, anchor, endMs, index: 0, link: anchor, units: 0, isOpen: true };
}

/** When the rest of the reservation is released. */
export const releasedMs = ({ endMs }: Channel): number => endMs + channelGraceS * 1000;
