import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { copyFonts } from './copy-fonts.mjs';
import { requireBudgets } from './web-budgets.mjs';
import { writeGuides } from './write-guides.mjs';

// Files that only the gateway reads.
const readByGateway = ['manifest.json', 'guides.json'];
const compressible = /\.(js|css|svg|json|html|txt)$/;
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };

/** Builds the browser's files of a project to its dist/ with Vite, and writes each text compressed beside it. Rejects when a page is heavier than its budget. @param {string} project */
export async function buildWeb(project) {
  // Here, not at the top of the file: it may have been installed a moment ago.
  const { build } = await import('vite');
  await inProduction(() => build({ configFile: join(project, 'vite.config.ts'), logLevel: 'warn' }));
  const folder = join(project, 'dist');
  const root = join(project, '../..');
  await writeGuides(root, folder);
  await copyFonts(root, folder);
  const names = await readdir(folder, { recursive: true });
  await Promise.all(
    names
      .filter(
        (name) => compressible.test(name) && !readByGateway.includes(name) && !name.startsWith('fonts/'),
      )
      .map((name) => compress(join(folder, name))),
  );
  await requireBudgets(folder);
}

/**
 * Tests set NODE_ENV, with which Vite takes React's development build: three times as heavy, and above the budget.
 * @param {() => Promise<unknown>} build
 */
async function inProduction(build) {
  const { NODE_ENV: given } = process.env;
  process.env['NODE_ENV'] = 'production';
  try {
    await build();
  } finally {
    if (given === undefined) delete process.env['NODE_ENV'];
    else process.env['NODE_ENV'] = given;
  }
}

/** @param {string} path */
async function compress(path) {
  const content = await readFile(path);
  const [brotli, zipped] = await Promise.all([
    promisify(brotliCompress)(content, brotliOptions),
    promisify(gzip)(content, { level: constants.Z_BEST_COMPRESSION }),
  ]);
  await Promise.all([writeFile(`${path}.br`, brotli), writeFile(`${path}.gz`, zipped)]);
}
