import { join } from 'node:path';
import { repository } from '../local/directory.mjs';
import { releaseProblems } from './check-release.mjs';
import { productionDocuments } from './overlays.mjs';

/**
 * Prints every problem found in an overlay, and their number. The exit code is 1 if there is a problem.
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
