import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from '../local/directory.mjs';

/** Matches `<!-- code: path | begin -->` and the code block after it, which `npm run docs` writes. */
const quote = /<!-- code: (?<path>\S+) \| (?<begin>.+?) -->\n\n```ts\n[^]*?```/g;

/**
 * Returns the page with its code quotes updated from the source files. A quote starts with the line that begins with
 * `begin` and ends with the line that closes it.
 * @param {string} page path from the root
 */
export const renderQuotes = (page) =>
  readFileSync(join(repository, page), 'utf8').replaceAll(quote, (...match) => {
    const { path, begin } = match.at(-1);
    const code = quoted(readFileSync(join(repository, path), 'utf8'), begin);
    if (code === undefined) throw new Error(`${page}: ${path} has no line that begins with "${begin}".`);
    return `<!-- code: ${path} | ${begin} -->\n\n\`\`\`ts\n${code}\n\`\`\``;
  });

/** @param {string} source @param {string} begin @returns {string | undefined} */
export function quoted(source, begin) {
  const lines = source.split('\n');
  const first = lines.findIndex((line) => line.trimStart().startsWith(begin));
  if (first < 0) return undefined;
  const indent = /^ */.exec(lines[first] ?? '')?.[0] ?? '';
  const last = lines.findIndex(
    (line, at) =>
      at > first &&
      line.startsWith(indent) &&
      /^[}\])]+[;,]?$/.test(line.trim()) &&
      !line.startsWith(`${indent} `),
  );
  return lines
    .slice(first, last + 1)
    .map((line) => line.slice(indent.length))
    .join('\n');
}
