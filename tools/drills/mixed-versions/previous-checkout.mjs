// A checkout of the previous release in a temporary folder, with its packages and its own build.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { previousRelease } from '../../contract/releases.mjs';
import { repository } from '../../local/directory.mjs';
import { Problem } from '../../local/problem.mjs';
import { lastLines, runCommand } from '../../local/run-command.mjs';

/**
 * @param {string | undefined} from a commit or tag; by default the release of deploy/releases/previous.json
 * @param {(line: string) => void} print
 * @returns {Promise<{ folder: string, commit: string, remove: () => void }>}
 */
export async function checkOutPrevious(from, print) {
  const commit = commitOf(from ?? previousRelease().commit);
  const folder = mkdtempSync(join(tmpdir(), 'tollbridge-previous-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    await run('git', ['clone', '--quiet', '--shared', '--no-checkout', repository, folder], repository);
    await run('git', ['checkout', '--quiet', '--detach', commit], folder);
    await addPackages(folder, print);
    print(`building ${commit.slice(0, 10)}`);
    const build = "import('./tools/local/build-all.mjs').then(({ buildAll }) => buildAll(() => undefined))";
    await run(process.execPath, ['--input-type=module', '-e', build], folder);
    return { folder, commit, remove };
  } catch (error) {
    remove();
    throw error;
  }
}

/** @param {string} name */
function commitOf(name) {
  try {
    return execFileSync('git', ['rev-parse', '--verify', '--quiet', `${name}^{commit}`], {
      cwd: repository,
      encoding: 'utf8',
    }).trim();
  } catch (cause) {
    throw new Problem(`The commit ${name} is not in this repository. Fetch its whole history first.`, {
      cause,
    });
  }
}

/**
 * Creates hard links to the packages of this checkout if they include every package of the previous release. The links
 * between the workspace projects are relative, so they point into the other checkout. Otherwise runs `npm ci`.
 * @param {string} folder @param {(line: string) => void} print
 */
async function addPackages(folder, print) {
  if (hasEveryPackage(lockOf(folder), lockOf(repository))) {
    print('its packages are those of this checkout');
    await run('cp', ['-al', join(repository, 'node_modules'), join(folder, 'node_modules')], folder);
    for (const name of ['.tollbridge-build', '.package-lock.json'])
      rmSync(join(folder, 'node_modules', name), { force: true });
    return;
  }
  print('installing its packages');
  await run('npm', ['ci', '--no-audit', '--no-fund', '--prefer-offline'], folder);
}

/** @param {string} folder @returns {Record<string, { version?: string, link?: boolean }>} */
const lockOf = (folder) => JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')).packages;

/** @param {ReturnType<typeof lockOf>} wanted @param {ReturnType<typeof lockOf>} present */
export const hasEveryPackage = (wanted, present) =>
  Object.entries(wanted).every(
    ([path, { version, link }]) =>
      link || !path.includes('node_modules/') || (present[path] && present[path].version === version),
  );

/** @param {string} program @param {string[]} args @param {string} cwd */
async function run(program, args, cwd) {
  const { code, output } = await runCommand(program, args, { cwd });
  if (code !== 0)
    throw new Problem(`${program} ${args[0]} failed; its last lines:`, { details: lastLines(output, 30) });
}
