import { Problem } from './problem.mjs';

// The oldest release with everything used here; package.json's "engines" says the same.
const oldest = [20, 11];

/** @param {string} version as in process.versions.node */
export function checkNodeVersion(version = process.versions.node) {
  const [major, minor] = version.split('.').map(Number);
  if (major > oldest[0] || (major === oldest[0] && minor >= oldest[1])) return;
  throw new Problem(
    `This is Node.js ${version}, and Tollbridge needs ${oldest.join('.')} or newer. ` +
      'Install Node.js 20 (https://nodejs.org) and type the command again.',
  );
}
