// Checks an overlay for production before it is applied: npm run kubernetes:check -- [FOLDER] [--max-connections N] [--draft]
// FOLDER has the folder `migrations` beside its kustomization.yaml. --draft accepts the placeholders of this repository.
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { repository } from './local/directory.mjs';
import { releaseProblems } from './kubernetes/check-release.mjs';
import { productionDocuments } from './kubernetes/overlays.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { 'max-connections': { type: 'string' }, draft: { type: 'boolean', default: false } },
});
const maxConnections = values['max-connections'];
if (positionals.length > 1 || (maxConnections !== undefined && !/^[1-9]\d{0,5}$/.test(maxConnections)))
  throw new Error('Use: npm run kubernetes:check -- [FOLDER] [--max-connections N] [--draft]');

const [folder = join(repository, 'deploy/kubernetes/overlays/production')] = positionals;
const documents = productionDocuments(folder);
const problems = await releaseProblems(documents, {
  environment: 'production',
  isFinal: !values.draft,
  ...(maxConnections && { maxConnections: Number(maxConnections) }),
});
for (const problem of problems) process.stdout.write(`${problem}\n`);
process.stdout.write(`${documents.length} documents, ${problems.length} problems\n`);
if (problems.length > 0) process.exitCode = 1;
