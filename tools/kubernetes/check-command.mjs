import { join } from 'node:path';
import { repository } from '../local/directory.mjs';
import { releaseProblems } from './check-release.mjs';
import { productionDocuments } from './overlays.mjs';

/**
 * Prints every problem of an overlay, and their number; exit code 1 with one.
 * @param {{ folder?: string, maxConnections?: number, isDraft?: boolean }} options
 */
export async function checkOverlay({
  folder = join(repository, 'deploy/kubernetes/overlays/production'),
  maxConnections,
  isDraft = false,
}) {
  const documents = productionDocuments(folder);
  const problems = await releaseProblems(documents, {
    environment: 'production',
    isFinal: !isDraft,
    ...(maxConnections !== undefined && { maxConnections }),
  });
  for (const problem of problems) process.stdout.write(`${problem}\n`);
  process.stdout.write(`${documents.length} documents, ${problems.length} problems\n`);
  if (problems.length > 0) process.exitCode = 1;
}
