import { Text } from '@tollbridge/rpc';

/** The language in the query of a page. */
export const LanguageField = () =>
  Text({
    description:
      'Language of the page: `en`, `es`, `pt`, `fr`, `de`, `it`, `tr`, `ru`, `zh`, `ja`, `ar` or `he`. Absent or unknown: the first known one of `Accept-Language`, else English',
    maxLength: 16,
    optional: true,
    example: 'en',
  });
