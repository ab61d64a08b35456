// Compiles the TypeScript of the project in the current folder to dist/ with swc (types are checked by `npm run typecheck`).
import { transformFile } from '@swc/core';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const project = process.cwd();
const isSource = (name) => name.endsWith('.ts') && !name.endsWith('.spec.ts') && !name.endsWith('.d.ts');

async function* sources(folder) {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* sources(path);
    else if (isSource(entry.name)) yield path;
  }
}

async function compile(from, to) {
  for await (const file of sources(join(project, from))) {
    const target = join(project, to, relative(join(project, from), file)).replace(/\.ts$/, '.js');
    const { code, map } = await transformFile(file, { configFile: join(root, '.swcrc'), cwd: root });
    await mkdir(dirname(target), { recursive: true });
    // Beside the code, since Node.js keeps the text of each file in memory: `node --enable-source-maps` finds it.
    await writeFile(target, `${code}//# sourceMappingURL=${basename(target)}.map\n`);
    await writeFile(`${target}.map`, map);
  }
}

await rm(join(project, 'dist'), { recursive: true, force: true });
await compile('src', 'dist');
