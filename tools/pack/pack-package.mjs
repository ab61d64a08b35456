import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { repository } from '../local/directory.mjs';
import { readOptions } from '../local/options.mjs';
import { prepare } from '../local/prepare.mjs';
import { writeGeneratedSources } from '../sdk/generated-sources.mjs';

const run = promisify(execFile);

/** Groups of packages that these programs import, or that are bundled into the command line. */
export const packingGroups = ['first', 'apps', 'services', 'web'];

/** @param {string} path @returns {Promise<any>} */
export const readJson = async (path) => JSON.parse(await readFile(path, 'utf8'));

/**
 * Creates a tarball in the folder of the first argument or in dist/, and prints its path. It installs missing packages
 * that it needs.
 * @param {string} library the folder of the library, which contains the README of the package
 * @param {(folder: string) => Promise<object>} fill writes the files of the package and returns its package.json
 */
export async function packPackage(library, fill) {
  const { words } = readOptions({}, { words: 1 });
  if (!existsSync(join(repository, 'node_modules/rolldown'))) await prepare({ groups: packingGroups });
  writeGeneratedSources();
  const destination = resolve(words[0] ?? join(repository, 'dist'));
  const folder = await mkdtemp(join(tmpdir(), 'tollbridge-pack-'));
  try {
    const manifest = await fill(folder);
    await writeFile(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
    await cp(join(library, 'README.md'), join(folder, 'README.md'));
    await cp(join(repository, 'LICENSE'), join(folder, 'LICENSE'));
    await mkdir(destination, { recursive: true });
    const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', destination], {
      cwd: folder,
    });
    const [{ filename }] = JSON.parse(stdout);
    process.stdout.write(`${join(destination, filename)}\n`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
