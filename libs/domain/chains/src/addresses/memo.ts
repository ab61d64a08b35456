import type { Chain, ChainFamily } from '../registry/chain';
import { canonicalAddress } from './canonical';
import { xAddressDestination } from './xrp';

const maxDestinationTag = 2 ** 32 - 1;

// The limit of a text memo in the protocol. An id has at most 20 digits, so it fits too.
const maxStellarBytes = 28;

// One cell has 127 whole bytes, and the first four mark a comment. Longer comments need several cells, which not all
// wallets and exchanges display.
const maxTonBytes = 123;

// Control, format and unassigned characters, lone surrogates, line and paragraph separators.
const invisible = /[\p{C}\p{Zl}\p{Zp}]/u;

const problemByFamily: Readonly<Partial<Record<ChainFamily, (memo: string) => string | undefined>>> = {
  xrp: destinationTagProblem,
  stellar: (memo) => textProblem(memo, maxStellarBytes),
  ton: (memo) => textProblem(memo, maxTonBytes),
};

/**
 * Returns a sentence about an invalid memo (destination tag, comment) of a receiver, for the person who typed it.
 * Undefined if the memo can be sent on this chain unchanged.
 */
export function memoProblem(chain: Chain, memo: string): string | undefined {
  const problemOf = problemByFamily[chain.family];
  if (!problemOf) {
    return `payments on ${chain.name} do not support a memo: omit it`;
  }
  return memo === '' ? 'the memo is empty: leave it out instead' : problemOf(memo);
}

export interface Destination {
  readonly address: string;
  /** The memo that must be sent with the payment; null if the address contains none. */
  readonly memo: string | null;
}

/**
 * Splits an address into the account and its memo. X-addresses of the XRP Ledger contain a destination tag. Other
 * addresses are returned without a memo. Undefined if `canonicalAddress` rejects the text.
 */
export function destinationOf(chain: Chain, text: string): Destination | undefined {
  const result = canonicalAddress(chain, text);
  if (!result.ok) {
    return undefined;
  }
  const inside = chain.family === 'xrp' ? xAddressDestination(result.address) : undefined;
  return inside ?? { address: result.address, memo: null };
}

function destinationTagProblem(memo: string): string | undefined {
  // Each tag has one spelling, so that memos can be compared as text.
  return /^(?:0|[1-9]\d{0,9})$/.test(memo) && Number(memo) <= maxDestinationTag
    ? undefined
    : `the destination tag must be a whole number from 0 to ${maxDestinationTag}, without leading zeros`;
}

function textProblem(memo: string, maxBytes: number): string | undefined {
  if (invisible.test(memo) || memo !== memo.trim()) {
    return 'the memo has a character that cannot be seen, or a space at its beginning or end: copy it again';
  }
  return Buffer.byteLength(memo) > maxBytes
    ? `the memo must have at most ${maxBytes} bytes (one for each letter or digit without accents)`
    : undefined;
}
