// Writes deploy/observability from the sources of this folder: node tools/observability/generate.mjs [--check]
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { repository } from '../local/directory.mjs';
import { render } from './render.mjs';

export const folder = join(repository, 'deploy/observability');

/** The content of every generated file, formatted, by path. */
export async function generate() {
  const options = await resolveConfig(join(folder, 'README.md'));
  const formatted = Object.entries(render()).map(async ([name, content]) => [
    join(folder, name),
    await format(content, { ...options, filepath: name }),
  ]);
  return Object.fromEntries(await Promise.all(formatted));
}

/** Paths of generated files that differ from their source. */
export async function outdated() {
  const wanted = Object.entries(await generate());
  return wanted.filter(([path, content]) => readIfAny(path) !== content).map(([path]) => path);
}

/** @param {string} path */
function readIfAny(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

async function main() {
  if (process.argv.includes('--check')) {
    const paths = await outdated();
    if (paths.length === 0) return;
    process.stderr.write(`Not current: ${paths.join(', ')}. Run: node tools/observability/generate.mjs\n`);
    process.exitCode = 1;
    return;
  }
  for (const [path, content] of Object.entries(await generate())) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await main();
