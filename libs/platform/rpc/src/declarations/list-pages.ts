import { DomainError } from '../errors/domain-error';
import { uuidForm } from '../uuid';

/** Error message for a cursor that no page has returned. */
export const invalidCursor = 'is not valid for this list; pass the cursor of the previous page unchanged';

/** Position of the last item of a page, in a list that is sorted by time, then by id. */
export interface ListPosition {
  atMs: number;
  id: string;
}

/** Encodes a position as an opaque cursor. */
export function cursorOf({ atMs, id }: ListPosition): string {
  return Buffer.from(`${atMs}.${id}`).toString('base64url');
}

/**
 * Decodes the cursor of the previous page; undefined for the first page, which has no cursor.
 * @throws DomainError for a text that `cursorOf` does not produce for an id of this form
 */
export function readCursor(cursor: string | undefined, idForm = uuidForm): ListPosition | undefined {
  if (cursor === undefined) return undefined;
  const decoded = Buffer.from(cursor, 'base64url').toString('latin1');
  const [, time, id = ''] = /^(\d{1,15})\.(.*)$/s.exec(decoded) ?? [];
  const read = { atMs: Number(time), id };
  // Decoding ignores characters that are not base64url, but each cursor has only one valid spelling.
  if (!idForm.test(id) || cursorOf(read) !== cursor)
    throw DomainError.invalid([{ field: 'cursor', message: invalidCursor }]);
  return read;
}

/** Paging facts in the headers of a reply. */
export interface PageFacts {
  /** Cursor of the next page; undefined for the last page. */
  next: string | undefined;
  /** The applied limit. */
  limit: number | undefined;
}

// Stored separately, because a bare array is sent unchanged.
const facts = new WeakMap<object, PageFacts>();

/**
 * Attaches paging facts to a page of a bare list.
 * @param next cursor of the next page; undefined for the last page
 * @param limit the applied limit
 */
export function pageWithNext<T>(page: T[], next: string | undefined, limit?: number): T[] {
  facts.set(page, { next, limit });
  return page;
}

/** Returns the paging facts from `pageWithNext`, or from an object with `next_cursor` and `limit`; else undefined. */
export function pageFactsOf(output: unknown): PageFacts | undefined {
  if (typeof output !== 'object' || output === null) return undefined;
  if (!('next_cursor' in output)) return facts.get(output);
  const { next_cursor: next, limit } = output as { next_cursor: unknown; limit?: unknown };
  return {
    next: typeof next === 'string' ? next : undefined,
    limit: typeof limit === 'number' ? limit : undefined,
  };
}

// Small enough for one reply and one statement.
const usualMaxLimit = 100;

/** Reads one page. @returns the page, the applied limit, and the cursor of the next page; null for the last page */
export async function readPage<T>(
  wantedLimit: number,
  read: (limit: number) => Promise<T[]>,
  cursorBehind: (last: T) => string,
  maxLimit = usualMaxLimit,
): Promise<{ page: T[]; limit: number; next: string | null }> {
  const limit = Math.min(wantedLimit, maxLimit);
  // One row more than requested shows whether another page exists.
  const found = await read(limit + 1);
  const page = found.slice(0, limit);
  return { page, limit, next: found.length > limit ? cursorBehind(page.at(-1)!) : null };
}
