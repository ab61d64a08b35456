import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants, gzip } from 'node:zlib';
import { readEmbedTexts } from './embed-texts.mjs';
import { filesIn } from './files-in.mjs';
import { groupsOf, packagesFor } from './start-packages.mjs';

/**
 * The prebuilt browser files, for a checkout without the packages of the group `web`. The file contains one line of
 * JSON and then all files in sequence, compressed.
 * @typedef {{ inputs: string, files: { name: string, bytes: number }[] }} BuiltWeb
 */
export const builtFile = 'apps/web/built.bin';

// Only the gateway reads these files, so they are not compressed in dist/.
export const readByGateway = ['manifest.json', 'guides.json'];
export const compressible = /\.(js|css|svg|json|html|txt)$/;
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };
const renderer = 'write-guides.mjs';

export const toBrotli = (/** @type {Buffer} */ content) => promisify(brotliCompress)(content, brotliOptions);
export const toGzip = (/** @type {Buffer} */ content) =>
  promisify(gzip)(content, { level: constants.Z_BEST_COMPRESSION });

/** A digest of all inputs of the prebuilt files. @param {string} root the checkout */
export function inputsOf(root) {
  const hash = createHash('sha256');
  const web = join(root, 'apps/web');
  // Generated files contain only types.
  const isInput = (/** @type {string} */ path) => !/\.spec\.tsx?$|\/generated\//.test(path);
  const files = [
    ...['src', 'public'].flatMap((name) => filesIn(join(web, name))).filter(isInput),
    ...['vite.config.ts', 'vite.embed.config.ts', 'tsconfig.json'].map((name) => join(web, name)),
    ...[renderer, 'code-colours.mjs'].map((name) => join(root, 'tools/local', name)),
  ];
  for (const path of files.sort()) {
    const digest = createHash('sha256').update(readFileSync(path)).digest('hex');
    hash.update(`${relative(root, path)} ${digest}\n`);
  }
  hash.update(JSON.stringify(readEmbedTexts(root)));
  const read = (/** @type {string} */ name) => JSON.parse(readFileSync(join(root, name), 'utf8'));
  const names = [...webPackages(read('package.json')), 'qrcode'];
  for (const [path, { version }] of Object.entries(packagesFor(read('package-lock.json'), names)))
    hash.update(`${path} ${version}\n`);
  return hash.digest('hex');
}

/** @param {any} manifest package.json @returns {string[]} */
const webPackages = (manifest) => groupsOf(manifest)['web'] ?? [];

/** Returns true if the packages for a build are installed. @param {string} root */
export function hasWebPackages(root) {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return webPackages(manifest).every((name) => existsSync(join(root, 'node_modules', name, 'package.json')));
}

/** Returns true if the prebuilt files match the current source files. @param {string} root */
export function isBuiltWebCurrent(root) {
  return existsSync(join(root, builtFile)) && readBuilt(root).head.inputs === inputsOf(root);
}

/** @param {string} root @returns {{ head: BuiltWeb, content: Buffer }} */
function readBuilt(root) {
  const bytes = readFileSync(join(root, builtFile));
  const end = bytes.indexOf('\n');
  return { head: JSON.parse(bytes.toString('utf8', 0, end)), content: bytes.subarray(end + 1) };
}

/**
 * Writes the prebuilt files to a folder in the same way as a build, with the guides of the current docs/.
 * @param {string} root
 * @param {string} folder
 */
export async function unpackWeb(root, folder) {
  const { head, content } = readBuilt(root);
  let from = 0;
  await mkdir(folder, { recursive: true });
  await Promise.all(
    head.files.map(async ({ name, bytes }) => {
      const packed = content.subarray(from, (from += bytes));
      const path = join(folder, name);
      const plain = await promisify(brotliDecompress)(packed);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, plain);
      if (!compressible.test(name) || readByGateway.includes(name)) return;
      await Promise.all([writeFile(`${path}.br`, packed), writeFile(`${path}.gz`, await toGzip(plain))]);
    }),
  );
  const path = join(folder, renderer);
  const { writeGuides } = await import(pathToFileURL(path).href);
  await writeGuides(root, folder);
  await rm(path);
}

/** Writes `built.bin` from a build in a folder. @param {string} root @param {string} folder */
export async function packWeb(root, folder) {
  const packed = await packFiles(root, folder);
  const files = packed.map(({ name, content }) => ({ name, bytes: content.length }));
  const head = JSON.stringify({ inputs: inputsOf(root), files });
  const contents = packed.map(({ content }) => content);
  await writeFile(join(root, builtFile), Buffer.concat([Buffer.from(`${head}\n`), ...contents]));
}

/** @param {string} root @param {string} folder */
async function packFiles(root, folder) {
  const names = (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .filter((name) => name !== 'guides.json' && !/^fonts\/|\.(br|gz)$/.test(name))
    .sort();
  const packed = await Promise.all(
    names.map(async (name) => ({ name, content: await toBrotli(await readFile(join(folder, name))) })),
  );
  return [...packed, { name: renderer, content: await toBrotli(await bundledRenderer(root)) }];
}

/** Bundles the program that renders the guides, with its packages. @param {string} root @returns {Promise<Buffer>} */
async function bundledRenderer(root) {
  // Imported here and not at the top of the file, because it may not be installed.
  const { rolldown } = await import('rolldown');
  const built = await rolldown({ input: join(root, 'tools/local', renderer), cwd: root, platform: 'node' });
  const { output } = await built.generate({ format: 'esm', codeSplitting: false, minify: true });
  await built.close();
  return Buffer.from(output[0].code);
}
