import { existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const repository = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

const isData = (/** @type {string} */ path) => path.endsWith('.json') && !path.includes('/testing/');

/** True for files to compile, and for data files to copy to the same folder. */
export const isSource = (/** @type {string} */ path) =>
  isData(path) || (path.endsWith('.ts') && !path.endsWith('.spec.ts') && !path.endsWith('.d.ts'));

/**
 * Builds a project to its dist/: files for browsers if it has a Vite configuration, otherwise files for Node.js.
 * @param {string} project @param {string} [root] the checkout
 */
export async function buildProject(project, root = repository) {
  if (!existsSync(join(project, 'vite.config.ts'))) return compileProject(project, root);
  const { buildWeb } = await import('./build-web.mjs');
  return buildWeb(project);
}

/**
 * Compiles the TypeScript of a project to its dist/ with swc. `npm run lint` checks the types.
 * @param {string} project
 * @param {string} [root]
 */
export async function compileProject(project, root = repository) {
  await rm(join(project, 'dist'), { recursive: true, force: true });
  for await (const file of sources(join(project, 'src'))) {
    const target = join(project, 'dist', relative(join(project, 'src'), file));
    await mkdir(dirname(target), { recursive: true });
    if (isData(file)) await copyFile(file, target);
    else await compile(file, target.replace(/\.ts$/, '.js'), root);
  }
}

/** @param {string} file @param {string} target @param {string} root */
async function compile(file, target, root) {
  // Imported here and not at the top of the file, because it may just have been installed.
  const { transformFile } = await import('@swc/core');
  const { code, map } = await transformFile(file, { configFile: join(root, '.swcrc'), cwd: root });
  // In a separate file, because Node.js keeps the text of each code file in memory. `node --enable-source-maps` finds
  // it.
  await writeFile(target, `${code}//# sourceMappingURL=${basename(target)}.map\n`);
  await writeFile(`${target}.map`, map ?? '');
}

/** @param {string} folder @returns {AsyncGenerator<string>} */
async function* sources(folder) {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* sources(path);
    else if (isSource(path)) yield path;
  }
}
