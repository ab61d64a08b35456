import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { existsSync } from 'node:fs';
import { repository } from '../local/directory.mjs';
import { filesIn } from '../local/files-in.mjs';
import { Problem } from '../local/problem.mjs';

/** @param {string[]} args @returns {string[]} the lines of the output */
function git(args) {
  try {
    const output = execFileSync('git', args, {
      cwd: repository,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    return output.split('\n').filter(Boolean);
  } catch (error) {
    throw new Problem(`git ${args[0]} failed: ${String(/** @type {any} */ (error).stderr).trim()}`);
  }
}

/**
 * Returns the files that differ from a commit, and untracked files, without deleted files.
 * @param {string} base a commit, branch or tag
 * @returns {string[]} paths relative to the repository
 */
export function changedFiles(base) {
  const changed = [
    ...git(['diff', '--name-only', '--diff-filter=d', base, '--']),
    ...git(['ls-files', '--others', '--exclude-standard']),
  ];
  return [...new Set(changed)].filter((path) => existsSync(join(repository, path))).sort();
}

/**
 * Returns the integration tests in the folders of changed sources. The tests of dependent code are left to the full
 * run.
 * @param {readonly string[]} changed
 * @param {RegExp} pattern matches the names of the tests
 * @returns {string[]} paths relative to the repository
 */
export function testsBeside(changed, pattern) {
  const sources = changed.filter((path) => /^(apps|libs)\/.*\/src\/.*\.ts$/.test(path));
  const features = new Set(sources.flatMap((path) => /^.*\/src\/[^/]+(?=\/)/.exec(path) ?? []));
  const beside = [...features].flatMap((folder) =>
    filesIn(join(repository, folder)).map((path) => path.slice(repository.length + 1)),
  );
  const own = changed.filter((path) => pattern.test(path));
  return [...new Set([...own, ...beside.filter((path) => pattern.test(path))])].sort();
}
