// Pages of transactions: their size in bytes is unknown before they are read.
import { readPart, type RangeLimit } from '@tollbridge/chain-nodes';
import { OversizedReply } from '@tollbridge/http';
import { badReply } from './node-client';

// A longer page is read in parts: anyone can send messages of 256 KB to a contract.
export const pageLimit = { maxReplyBytes: 8 * 1024 * 1024 };
// A page that is too long is divided by this, down to one transaction.
const divisor = 8;

export interface PageSizes {
  /** How many to read at most. */
  limit: number;
  pageSize: number;
  /** A page that is shorter than asked for is the last; otherwise only an empty one is. */
  isShortLast: boolean;
  /** Number of items that the node accepts in one request. */
  ranges: RangeLimit;
}

/**
 * Reads a list page by page, with smaller pages from where one is too long.
 * @param readPage gives the page after the last item that was read
 * @throws ProviderError of `readPage`, and where a single item is too long
 */
export async function readPages<T>(
  { limit, pageSize, isShortLast, ranges }: PageSizes,
  readPage: (last: T | undefined, size: number) => Promise<readonly T[]>,
): Promise<T[]> {
  const found: T[] = [];
  let most = pageSize;
  while (found.length < limit) {
    const size = Math.min(most, limit - found.length, ranges.atMost);
    const page = await unlessOversized(
      readPart(ranges, size, (count) => readPage(found.at(-1), count)),
      size,
    );
    if (page === undefined) {
      most = Math.ceil(size / divisor);
      continue;
    }
    found.push(...page);
    if (page.length === 0 || (isShortLast && page.length < size)) break;
  }
  return found;
}

/** Undefined where the reply is too long for so many items. */
async function unlessOversized<T>(asked: Promise<T>, count: number): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (!(error instanceof OversizedReply)) throw error;
    if (count > 1) return undefined;
    throw badReply('a transaction is too long');
  }
}
