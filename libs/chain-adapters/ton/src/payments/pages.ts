// Reads pages of transactions. The size of a page in bytes is unknown before it is read.
import { readPart, type RangeLimit } from '@tollbridge/chain-nodes';
import { OversizedReply } from '@tollbridge/http';
import { badReply } from './node-client';

// A larger page is read in parts, because anyone can send messages of 256 KB to a contract.
export const pageLimit = { maxReplyBytes: 8 * 1024 * 1024 };
// The size of a page that is too large is divided by this, down to one transaction.
const divisor = 8;

export interface PageSizes {
  /** Maximum number of items to read. */
  limit: number;
  pageSize: number;
  /** If true, a page that is shorter than requested is the last. Otherwise only an empty page is the last. */
  isShortLast: boolean;
  /** The node's limit for the number of items in one request. */
  ranges: RangeLimit;
}

/**
 * Reads a list page by page. After a page that is too large, it continues with smaller pages.
 * @param readPage returns the page after the last item that was read
 * @throws ProviderError of `readPage`, or if a single item is too large
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

/** Resolves to undefined if the reply is too large for this number of items. */
async function unlessOversized<T>(asked: Promise<T>, count: number): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (!(error instanceof OversizedReply)) throw error;
    if (count > 1) return undefined;
    throw badReply('a transaction is too long');
  }
}
