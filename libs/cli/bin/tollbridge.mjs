#!/usr/bin/env node
// In the repository: npm start and npm test build dist/. The package has one bundled file instead.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const main = join(fileURLToPath(import.meta.url), '../../dist/main.js');
if (existsSync(main)) await import(main);
else {
  process.stderr.write('The command line is not built yet. Run npm start once.\n');
  process.exitCode = 1;
}
