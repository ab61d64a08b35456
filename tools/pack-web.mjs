// Builds the browser files for checkouts without Vite, to apps/web/built.bin: npm run web:pack
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildFresh } from './local/build-web.mjs';
import { packWeb } from './local/built-web.mjs';
import { repository } from './local/directory.mjs';
import { readOptions } from './local/options.mjs';

readOptions({});
const folder = await mkdtemp(join(tmpdir(), 'tollbridge-web-'));
try {
  await buildFresh(repository, folder);
  await packWeb(repository, folder);
} finally {
  await rm(folder, { recursive: true });
}
