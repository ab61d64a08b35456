import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** The files with the languages of the payment pages. @param {string} root the checkout @returns {string[]} */
export function languageFiles(root) {
  const folder = join(root, 'apps/gateway/src/pages/texts');
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => join(folder, name));
}

/**
 * Returns the texts of `embed.js`, one string for each language, because the script must be small.
 * @param {string} root the checkout
 * @returns {Record<string, string>}
 */
export function readEmbedTexts(root) {
  const files = languageFiles(root).map((path) => ({
    code: basename(path, '.json'),
    ...JSON.parse(readFileSync(path, 'utf8')),
  }));
  files.sort((a, b) => a.menuPosition - b.menuPosition);
  return Object.fromEntries(
    files.map(({ code, embed: { title, close, window, failed, retry } }) => [
      code,
      [title, close, window, failed, retry].join('|'),
    ]),
  );
}
