#!/usr/bin/env node
// In the repository, npm start and npm test build dist/. The package has one bundled file instead.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(fileURLToPath(import.meta.url), '../../../..');
const load = async (path) => (await import(join(root, path))).default;
if (existsSync(join(root, 'libs/cli/dist/main.js'))) {
  const { main } = await load('libs/cli/dist/main.js');
  main((app) => load(`apps/${app}/dist/config.js`));
} else {
  process.stderr.write('The command line is not built yet. Run npm start once.\n');
  process.exitCode = 1;
}
