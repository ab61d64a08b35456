import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { repository } from '../local/directory.mjs';
import { Problem } from '../local/problem.mjs';
import { releaseProblems } from './check-release.mjs';
import { productionDocuments } from './overlays.mjs';

/** Prints every problem of an overlay, and their number; exit code 1 with one. @param {string[]} args */
export async function checkOverlay(args) {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { 'max-connections': { type: 'string' }, draft: { type: 'boolean', default: false } },
  });
  const maxConnections = values['max-connections'];
  if (maxConnections !== undefined && !/^[1-9]\d{0,5}$/.test(maxConnections))
    throw new Problem('--max-connections must be a whole number from 1.');
  if (positionals.length > 1) throw new Problem('Name one folder.');

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
}
