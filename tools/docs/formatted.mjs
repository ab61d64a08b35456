import { format } from 'oxfmt';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from '../local/directory.mjs';

const {
  $schema: _schema,
  ignorePatterns: _ignored,
  ...options
} = JSON.parse(readFileSync(join(repository, '.oxfmtrc.json'), 'utf8'));

/**
 * Returns the text as `npm run format` would write it.
 * @param {string} name of the file; its extension determines the language
 * @param {string} text
 * @returns {Promise<string>}
 * @throws Error if it cannot be parsed
 */
export async function formatted(name, text) {
  const { code, errors } = await format(name, text, options);
  if (errors.length > 0) throw new Error(`${name}: ${errors.map(({ message }) => message).join('; ')}`);
  return code;
}
