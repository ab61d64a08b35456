import { Problem } from './problem.mjs';

// The oldest release that supports all used features. It must match "engines" in package.json.
export const oldestNode = [20, 19];

/** @param {string} version as in process.versions.node */
export function checkNodeVersion(version = process.versions.node) {
  const [major, minor] = version.split('.').map(Number);
  if (major > oldestNode[0] || (major === oldestNode[0] && minor >= oldestNode[1])) return;
  throw new Problem(
    `This is Node.js ${version}, and Tollbridge needs ${oldestNode.join('.')} or newer. ` +
      'Install Node.js 24 (https://nodejs.org) and type the command again.',
  );
}
