import { Integer, Text, type TextOptions } from '@tollbridge/bus';

/** How long a page of a list may be. */
export const Limit = (usual: number, most = 100) =>
  Integer({
    description: `How many at most; above ${most.toLocaleString('en')} is read as ${most.toLocaleString('en')}`,
    min: 1,
    default: usual,
    optional: true,
    example: usual,
  });

/** Where a page begins: what `field` of the page before says. */
export const Cursor = (field: 'next_cursor' | 'nextCursor', options: Omit<TextOptions, 'description'>) =>
  Text({ ...options, description: `\`${field}\` of the page before`, optional: true });

export const UsedLimit = (example: number) => Integer({ description: 'The limit that was used', example });

export const NextCursor = () =>
  Text({
    description: 'Pass it as `cursor` for the next page; null on the last one',
    nullable: true,
    example: null,
  });
