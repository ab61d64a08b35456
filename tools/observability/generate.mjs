// Writes deploy/observability from the sources of this folder: node tools/observability/generate.mjs [--check]
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { formatted } from '../docs/formatted.mjs';
import { writeOrCheck } from '../docs/generated-files.mjs';
import { repository } from '../local/directory.mjs';
import { render } from './render.mjs';

const place = 'deploy/observability';
export const folder = join(repository, place);

/** The content of every generated file, formatted, by path from the root. */
export async function generate() {
  const files = Object.entries(render()).map(async ([name, content]) => [
    join(place, name),
    await formatted(name, content),
  ]);
  return Object.fromEntries(await Promise.all(files));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  writeOrCheck(await generate(), 'node tools/observability/generate.mjs');
