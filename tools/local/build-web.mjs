import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
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
  // A folder of this process: two starts at once, or one that is interrupted, leave no half of a build.
  const draft = join(project, `dist.${process.pid}`);
  try {
    await buildTo(draft, project);
    await replace(join(project, 'dist'), draft);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** @param {string} folder @param {string} project */
async function buildTo(folder, project) {
  // Here, not at the top of the file: it may have been installed a moment ago.
  const { build } = await import('vite');
  for (const config of ['vite.config.ts', 'vite.embed.config.ts'])
    await inProduction(() =>
      build({ configFile: join(project, config), logLevel: 'warn', build: { outDir: folder } }),
    );
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

/** Puts a folder in the place of another. @param {string} folder @param {string} draft */
export async function replace(folder, draft) {
  const old = `${draft}.old`;
  for (;;) {
    await rename(folder, old).catch(unless('ENOENT'));
    // Another process may have put its own there meanwhile.
    const isDone = await rename(draft, folder).then(() => true, unless('ENOTEMPTY', 'EEXIST'));
    await rm(old, { recursive: true, force: true });
    if (isDone) return;
  }
}

/** @param {string[]} codes of errors that are expected @returns {(error: NodeJS.ErrnoException) => undefined} */
const unless =
  (...codes) =>
  (error) => {
    if (!codes.includes(error.code ?? '')) throw error;
  };

/** @param {string} path */
async function compress(path) {
  const content = await readFile(path);
  const [brotli, zipped] = await Promise.all([
    promisify(brotliCompress)(content, brotliOptions),
    promisify(gzip)(content, { level: constants.Z_BEST_COMPRESSION }),
  ]);
  await Promise.all([writeFile(`${path}.br`, brotli), writeFile(`${path}.gz`, zipped)]);
}
