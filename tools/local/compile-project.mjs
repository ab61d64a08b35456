import { existsSync } from 'node:fs';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const repository = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

/** What is compiled. */
export const isSource = (/** @type {string} */ name) =>
  name.endsWith('.ts') && !name.endsWith('.spec.ts') && !name.endsWith('.d.ts');

/**
 * Builds a project to its dist/: files for browsers where it has a configuration of Vite, else files for Node.js.
 * @param {string} project @param {string} [root] the checkout
 */
export async function buildProject(project, root = repository) {
  if (!existsSync(join(project, 'vite.config.ts'))) return compileProject(project, root);
  const { buildWeb } = await import('./build-web.mjs');
  return buildWeb(project);
}

/** Compiles the TypeScript of a project to its dist/ with swc; `npm run typecheck` checks the types. @param {string} project @param {string} [root] */
export async function compileProject(project, root = repository) {
  // Here, not at the top of the file: it may have been installed a moment ago.
  const { transformFile } = await import('@swc/core');
  await rm(join(project, 'dist'), { recursive: true, force: true });
  for await (const file of sources(join(project, 'src'))) {
    const target = join(project, 'dist', relative(join(project, 'src'), file)).replace(/\.ts$/, '.js');
    const { code, map } = await transformFile(file, { configFile: join(root, '.swcrc'), cwd: root });
    await mkdir(dirname(target), { recursive: true });
    // Beside the code, since Node.js keeps the text of each file in memory: `node --enable-source-maps` finds it.
    await writeFile(target, `${code}//# sourceMappingURL=${basename(target)}.map\n`);
    await writeFile(`${target}.map`, map ?? '');
  }
}

/** @param {string} folder @returns {AsyncGenerator<string>} */
async function* sources(folder) {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* sources(path);
    else if (isSource(entry.name)) yield path;
  }
}
