import { DomainError } from '../errors/domain-error';
import { uuidForm } from '../uuid';

/** The message for a cursor that no page has returned. */
export const invalidCursor = 'is not valid for this list; pass the cursor of the previous page unchanged';

/** The end of a page, in a list that is sorted by time, then by id. */
export interface ListPosition {
  atMs: number;
  id: string;
}

/** Encodes a position as an opaque cursor. */
export function cursorOf({ atMs, id }: ListPosition): string {
  return Buffer.from(`${atMs}.${id}`).toString('base64url');
}

/**
 * The end of the previous page; undefined for the first page, which has no cursor.
 * @throws DomainError for a text that `cursorOf` writes for no id of this form
 */
export function readCursor(cursor: string | undefined, idForm = uuidForm): ListPosition | undefined {
  if (cursor === undefined) return undefined;
  const decoded = Buffer.from(cursor, 'base64url').toString('latin1');
  const [, time, id = ''] = /^(\d{1,15})\.(.*)$/s.exec(decoded) ?? [];
  const read = { atMs: Number(time), id };
  // Decoding ignores characters that are not base64url; a cursor has one spelling.
  if (!idForm.test(id) || cursorOf(read) !== cursor)
    throw DomainError.invalid([{ field: 'cursor', message: invalidCursor }]);
  return read;
}

/** The facts about a page that a reply carries in its headers. */
export interface PageFacts {
  /** The cursor of the next page; undefined on the last. */
  next: string | undefined;
  /** The limit that was used. */
  limit: number | undefined;
}

// Stored beside the list: a bare array is answered unchanged.
const facts = new WeakMap<object, PageFacts>();

/** A page of a bare list, with the limit that was used, and the cursor of the next page; undefined on the last. */
export function pageWithNext<T>(page: T[], next: string | undefined, limit?: number): T[] {
  facts.set(page, { next, limit });
  return page;
}

/** Cursor and limit of a page by `pageWithNext`, or of an object with `next_cursor` and `limit`; or undefined. */
export function pageFactsOf(output: unknown): PageFacts | undefined {
  if (typeof output !== 'object' || output === null) return undefined;
  if (!('next_cursor' in output)) return facts.get(output);
  const { next_cursor: next, limit } = output as { next_cursor: unknown; limit?: unknown };
  return {
    next: typeof next === 'string' ? next : undefined,
    limit: typeof limit === 'number' ? limit : undefined,
  };
}

// Few enough for one reply and one statement.
const usualMaxLimit = 100;

/** One page, the limit that was used, and the cursor of the next page: null on the last. */
export async function readPage<T>(
  wantedLimit: number,
  read: (limit: number) => Promise<T[]>,
  cursorBehind: (last: T) => string,
  maxLimit = usualMaxLimit,
): Promise<{ page: T[]; limit: number; next: string | null }> {
  const limit = Math.min(wantedLimit, maxLimit);
  // One row more than requested shows whether there is another page.
  const found = await read(limit + 1);
  const page = found.slice(0, limit);
  return { page, limit, next: found.length > limit ? cursorBehind(page.at(-1)!) : null };
}
