import { statfsSync } from 'node:fs';
import { Problem } from './problem.mjs';

// Packages need 0.9 GB. Servers and a day of local chains need far less than the rest.
const neededBytes = 1.5e9;

/** @param {string} folder */
export function checkDiskSpace(folder) {
  const { bavail, bsize } = statfsSync(folder);
  const freeBytes = bavail * bsize;
  if (freeBytes >= neededBytes) return;
  throw new Problem(
    `Only ${Math.round(freeBytes / 1e6)} MB are free on the disk of ${folder}, and 1.5 GB are needed. ` +
      'Free some space and try again.',
  );
}
