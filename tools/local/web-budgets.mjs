import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Problem } from './problem.mjs';

/**
 * The size limits in kB, compressed by gzip, for the files that a browser loads before an entry works. These are its
 * module with static imports, and its style sheets. The page loads other files after a click.
 */
export const budgetsKb = {
  checkout: 30,
  load: 1,
  embed: 3,
  dashboard: 200,
  pages: 5,
  site: 5,
  guides: 1,
  reference: 4,
};

/**
 * @typedef {{ file: string, name?: string, isEntry?: boolean, imports?: string[], css?: string[] }} Chunk
 * @typedef {{ entry: string, bytes: number, budgetBytes: number }} Weight
 */

/**
 * @param {Record<string, Chunk>} manifest of Vite
 * @param {(file: string) => Promise<number>} bytesOf the compressed size
 * @returns {Promise<Weight[]>}
 */
export async function weigh(manifest, bytesOf) {
  const entries = Object.values(manifest).filter(({ isEntry }) => isEntry);
  return Promise.all(
    entries.map(async (entry) => {
      const name = entry.name ?? entry.file;
      const budgetKb = budgetsKb[/** @type {keyof typeof budgetsKb} */ (name)];
      if (budgetKb === undefined) throw new Problem(`${name} has no budget in tools/local/web-budgets.mjs`);
      const chunks = new Set([entry]);
      for (const { imports = [] } of chunks)
        for (const it of imports) chunks.add(/** @type {Chunk} */ (manifest[it]));
      const files = new Set([...chunks].flatMap(({ file, css = [] }) => [file, ...css]));
      const sizes = await Promise.all([...files].map(bytesOf));
      return { entry: name, bytes: sizes.reduce((sum, size) => sum + size, 0), budgetBytes: budgetKb * 1024 };
    }),
  );
}

/** Plain scripts with a fixed name, which the manifest does not list. */
const scripts = /** @type {const} */ (['embed']);

/** Throws if entries of a build exceed their size limits. @param {string} folder of the build */
export async function requireBudgets(folder) {
  const manifest = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8'));
  const bytesOf = async (/** @type {string} */ file) => (await readFile(join(folder, `${file}.gz`))).length;
  const weights = await weigh(manifest, bytesOf);
  for (const entry of scripts)
    weights.push({ entry, bytes: await bytesOf(`${entry}.js`), budgetBytes: budgetsKb[entry] * 1024 });
  const tooHeavy = weights.filter(({ bytes, budgetBytes }) => bytes > budgetBytes);
  if (tooHeavy.length === 0) return;
  const kb = (/** @type {number} */ bytes) => `${(bytes / 1024).toFixed(1)} kB`;
  const lines = tooHeavy.map(
    ({ entry, bytes, budgetBytes }) => `${entry}: ${kb(bytes)} of ${kb(budgetBytes)}`,
  );
  throw new Problem(
    'Pages would load more than their budget. Import what is not needed at once by a click:',
    {
      details: lines.join('\n'),
    },
  );
}
