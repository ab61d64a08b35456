import { statfsSync } from 'node:fs';
import { Problem } from './problem.mjs';

// Packages take 700 MB, servers and a day of local chains well below the rest.
const neededBytes = 1e9;

/** @param {string} folder */
export function checkDiskSpace(folder) {
  const { bavail, bsize } = statfsSync(folder);
  const freeBytes = bavail * bsize;
  if (freeBytes >= neededBytes) return;
  throw new Problem(
    `Only ${Math.round(freeBytes / 1e6)} MB are free on the disk of ${folder}, and 1 GB is needed. ` +
      'Free some space and try again.',
  );
}
