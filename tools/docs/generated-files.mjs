import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { repository } from '../local/directory.mjs';

/** @typedef {Record<string, string>} Files content by path from the root */

/** @param {Files} wanted @returns {string[]} paths of files that differ */
export const outdatedFiles = (wanted) =>
  Object.entries(wanted)
    .filter(([path, content]) => readIfAny(join(repository, path)) !== content)
    .map(([path]) => path);

/** @param {string} path */
function readIfAny(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

/**
 * Writes the files. With --check it writes nothing, prints the files that differ, and fails.
 * @param {Files} wanted @param {string} command the command that writes the files
 */
export function writeOrCheck(wanted, command) {
  if (process.argv.includes('--check')) {
    const paths = outdatedFiles(wanted);
    if (paths.length === 0) return;
    process.stderr.write(`Not current: ${paths.join(', ')}. Run: ${command}\n`);
    process.exitCode = 1;
    return;
  }
  for (const [path, content] of Object.entries(wanted)) {
    mkdirSync(dirname(join(repository, path)), { recursive: true });
    writeFileSync(join(repository, path), content);
    process.stdout.write(`${path}\n`);
  }
}
