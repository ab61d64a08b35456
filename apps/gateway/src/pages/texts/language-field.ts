import { Text } from '@tollbridge/rpc';
import { languages } from './languages';

const codes = languages.map(({ code }) => `\`${code}\``);

/** The query parameter for the language of a page. */
export const LanguageField = () =>
  Text(
    `Language of the page: ${codes.slice(0, -1).join(', ')} or ${codes.at(-1)}. Absent or unknown: the first known one of \`Accept-Language\`, else English`,
    { maxLength: 16, optional: true, example: 'en' },
  );
