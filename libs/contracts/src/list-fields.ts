import { Integer, invalidCursor, Text, type TextOptions } from '@tollbridge/rpc';

/** Page size of a list. */
export const Limit = (usual: number, most = 100) =>
  Integer({
    description: `Largest number of items on a page; a value above ${most.toLocaleString('en')} means ${most.toLocaleString('en')}`,
    min: 1,
    default: usual,
    optional: true,
    example: usual,
  });

/** Start of a page. */
export const Cursor = (options: Omit<TextOptions, 'description'>) =>
  Text({
    ...options,
    description: '`next_cursor` of the previous page, unchanged',
    patternMessage: invalidCursor,
    optional: true,
  });

export const UsedLimit = (example: number) => Integer({ description: 'The limit that was applied', example });

/** The same cursor under this list's original field name. */
export const CamelNextCursor = () =>
  Text({ description: 'Same as `next_cursor`', nullable: true, example: null });

export const NextCursor = () =>
  Text({
    description: 'Pass it as `cursor` for the next page; null on the last page',
    nullable: true,
    example: null,
  });
