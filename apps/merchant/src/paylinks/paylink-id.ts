// Parses ids of links and of their payments from requests.
import { DomainError, invalidCursor, isUuid, uuidOf } from '@tollbridge/rpc';

/** The same error for links of other wallets, deleted links and unknown ids. */
export const notFound = (): DomainError =>
  new DomainError('NOT_FOUND', 'The PayLink does not exist. Check its id.');

/** @throws DomainError NOT_FOUND for a text that is not a UUID */
export function idOf(text: string): string {
  const id = uuidOf(text);
  if (id === undefined) throw notFound();
  return id;
}

/** The position where a page starts. @throws DomainError for a cursor that is not a UUID */
export function positionOf({ cursor }: { cursor?: string }): { before?: string } {
  if (cursor !== undefined && !isUuid(cursor))
    throw DomainError.invalid([{ field: 'cursor', message: invalidCursor }]);
  return cursor === undefined ? {} : { before: cursor };
}
