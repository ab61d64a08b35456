import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  compressible,
  hasWebPackages,
  isBuiltWebCurrent,
  readByGateway,
  toBrotli,
  toGzip,
  unpackWeb,
} from './built-web.mjs';
import { copyFonts } from './copy-fonts.mjs';
import { readEmbedTexts } from './embed-texts.mjs';
import { ensurePackages } from './packages.mjs';
import { requireBudgets } from './web-budgets.mjs';
import { writeGuides } from './write-guides.mjs';

/**
 * Creates the browser files of a project in its dist/, with a compressed copy of each text file. Vite builds them. If
 * its packages are not installed, the prebuilt files are unpacked, and only the guides are rendered from docs/. Rejects
 * if a page exceeds its size limit.
 * @param {string} project
 */
export async function buildWeb(project) {
  const root = join(project, '../..');
  // Each process uses its own folder, so that parallel or interrupted starts leave no incomplete build.
  const draft = join(project, `dist.${process.pid}`);
  try {
    if (!hasWebPackages(root) && isBuiltWebCurrent(root)) await unpackWeb(root, draft);
    else await buildFresh(root, draft);
    await copyFonts(root, draft);
    await requireBudgets(draft);
    await replace(join(project, 'dist'), draft);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** Builds with Vite, without the fonts. @param {string} root the checkout @param {string} folder */
export async function buildFresh(root, folder) {
  if (!hasWebPackages(root)) await ensurePackages(() => undefined, ['web']);
  const project = join(root, 'apps/web');
  // Imported here and not at the top of the file, because it may just have been installed.
  const { build } = await import('vite');
  const define = { embedTexts: JSON.stringify(readEmbedTexts(root)) };
  for (const config of ['vite.config.ts', 'vite.embed.config.ts'])
    await inProduction(() =>
      build({ configFile: join(project, config), logLevel: 'warn', define, build: { outDir: folder } }),
    );
  await writeGuides(root, folder);
  const names = await readdir(folder, { recursive: true });
  await Promise.all(
    names
      .filter((name) => compressible.test(name) && !readByGateway.includes(name))
      .map((name) => compress(join(folder, name))),
  );
}

/**
 * Tests set NODE_ENV. Vite would then use React's development build, which is three times as large and exceeds the
 * limit.
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

/** Replaces a folder with another one. @param {string} folder @param {string} draft */
export async function replace(folder, draft) {
  const old = `${draft}.old`;
  for (;;) {
    await rename(folder, old).catch(unless('ENOENT'));
    // Another process may have created the folder in the meantime.
    const isDone = await rename(draft, folder).then(() => true, unless('ENOTEMPTY', 'EEXIST'));
    await rm(old, { recursive: true, force: true });
    if (isDone) return;
  }
}

/** @param {string[]} codes of expected errors @returns {(error: NodeJS.ErrnoException) => undefined} */
const unless =
  (...codes) =>
  (error) => {
    if (!codes.includes(error.code ?? '')) throw error;
  };

/** @param {string} path */
async function compress(path) {
  const content = await readFile(path);
  const [brotli, zipped] = await Promise.all([toBrotli(content), toGzip(content)]);
  await Promise.all([writeFile(`${path}.br`, brotli), writeFile(`${path}.gz`, zipped)]);
}
