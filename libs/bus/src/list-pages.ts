import { DomainError } from './domain-error';
import { uuidForm } from './uuid';

/** Where a page ends, in a list that is sorted by time and, at the same time, by id. */
export interface ListPosition {
  atMs: number;
  id: string;
}

/** The position as callers see it, and hand it back: opaque to them. */
export function cursorOf({ atMs, id }: ListPosition): string {
  return Buffer.from(`${atMs}.${id}`).toString('base64url');
}

/**
 * Where the page before ended; undefined for the first page, which has no cursor.
 * @throws DomainError for a text that `cursorOf` writes for no id of this form
 */
export function readCursor(cursor: string | undefined, idForm = uuidForm): ListPosition | undefined {
  if (cursor === undefined) return undefined;
  const decoded = Buffer.from(cursor, 'base64url').toString('latin1');
  const [, time, id = ''] = /^(\d{1,15})\.(.*)$/s.exec(decoded) ?? [];
  const read = { atMs: Number(time), id };
  // Decoding passes over what is no base64url; a cursor has one spelling.
  if (!idForm.test(id) || cursorOf(read) !== cursor)
    throw DomainError.invalid([{ field: 'cursor', message: 'is not a cursor of this list' }]);
  return read;
}

// Beside the list, not in it: a bare array is answered as it stands.
const nextCursors = new WeakMap<object, string>();

/** A page of a bare list, with the cursor of the next page; undefined on the last. */
export function pageWithNext<T>(page: T[], next: string | undefined): T[] {
  if (next !== undefined) nextCursors.set(page, next);
  return page;
}

/** The cursor that `pageWithNext` gave this output; undefined for every other output. */
export function nextCursorOf(output: unknown): string | undefined {
  return Array.isArray(output) ? nextCursors.get(output) : undefined;
}

// Few enough for one answer, and for one look at the database.
const maxLimit = 100;

/** One page, its limit, and the cursor of the next one: null on the last. */
export async function readPage<T>(
  wantedLimit: number,
  read: (limit: number) => Promise<T[]>,
  cursorBehind: (last: T) => string,
): Promise<{ page: T[]; limit: number; next: string | null }> {
  const limit = Math.min(wantedLimit, maxLimit);
  // One more than asked for tells whether there is another page.
  const found = await read(limit + 1);
  const page = found.slice(0, limit);
  return { page, limit, next: found.length > limit ? cursorBehind(page.at(-1)!) : null };
}
