import { Integer, invalidCursor, Text, type TextOptions } from '@tollbridge/rpc';

/** How long a page of a list may be. */
export const Limit = (usual: number, most = 100) =>
  Integer({
    description: `Most items of a page; above ${most.toLocaleString('en')} is read as ${most.toLocaleString('en')}`,
    min: 1,
    default: usual,
    optional: true,
    example: usual,
  });

/** Where a page begins. */
export const Cursor = (options: Omit<TextOptions, 'description'>) =>
  Text({
    ...options,
    description: '`next_cursor` of the previous page, unchanged',
    patternMessage: invalidCursor,
    optional: true,
  });

export const UsedLimit = (example: number) => Integer({ description: 'The limit that was used', example });

/** The same under the name that this list had first. */
export const CamelNextCursor = () =>
  Text({ description: 'Same as `next_cursor`', nullable: true, example: null });

export const NextCursor = () =>
  Text({
    description: 'Pass it as `cursor` for the next page; null on the last page',
    nullable: true,
    example: null,
  });
