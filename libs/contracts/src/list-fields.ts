import { invalidCursor, type TextOptions, type Undescribed } from '@tollbridge/rpc';
import { Integer, Text } from './decorators';

/** Page size of a list, with its default and its maximum. */
export const Limit = (usual: number, most = 100) =>
  Integer(
    `Largest number of items on a page; a value above ${most.toLocaleString('en')} means ${most.toLocaleString('en')}`,
    { min: 1, default: usual, optional: true, example: usual },
  );

/** Cursor of the page to read. */
export const Cursor = (options: Undescribed<TextOptions>) =>
  Text('`next_cursor` of the previous page, unchanged', {
    ...options,
    patternMessage: invalidCursor,
    optional: true,
  });

export const UsedLimit = (example: number) => Integer('The limit that was applied', { example });

/** The cursor of the next page, under the original field name of this list. */
export const CamelNextCursor = () => Text('Same as `next_cursor`', { nullable: true });

export const NextCursor = () =>
  Text('Pass it as `cursor` for the next page; null on the last page', { nullable: true });
