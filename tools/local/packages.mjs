import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from './directory.mjs';
import { Problem } from './problem.mjs';
import { lastLines, runCommand } from './run-command.mjs';

const lockfile = join(repository, 'package-lock.json');
const stamp = join(repository, 'node_modules/.tollbridge-lock');

/** Installs the packages of package-lock.json unless they are there. @param {(text: string) => void} note */
export async function ensurePackages(note) {
  const wanted = createHash('sha256').update(readFileSync(lockfile)).digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return note('in place');
  if (!isInstalled()) {
    note('installing');
    await install(note);
  }
  writeFileSync(stamp, wanted);
  note('installed');
}

/** npm keeps its own list of what lies in node_modules: someone may have installed by hand. */
function isInstalled() {
  const hidden = join(repository, 'node_modules/.package-lock.json');
  if (!existsSync(hidden)) return false;
  const { packages: wanted } = JSON.parse(readFileSync(lockfile, 'utf8'));
  const { packages: present } = JSON.parse(readFileSync(hidden, 'utf8'));
  return Object.entries(wanted).every(([path, { version, optional, link }]) => {
    if (!path.startsWith('node_modules/')) return true;
    const found = present[path];
    // Optional packages are for other platforms, mostly.
    return found ? link || found.version === version : optional;
  });
}

/** @param {(text: string) => void} note */
async function install(note) {
  const startedMs = performance.now();
  const timer = setInterval(
    () => note(`installing, ${Math.round((performance.now() - startedMs) / 1000)} s`),
    1000,
  );
  const npm = process.env.npm_execpath;
  const args = ['ci', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'];
  try {
    const { code, output } = npm
      ? await runCommand(process.execPath, [npm, ...args], { cwd: repository })
      : await runCommand('npm', args, { cwd: repository });
    if (code !== 0) throw failure(output);
  } finally {
    clearInterval(timer);
  }
}

/** @param {string} output */
function failure(output) {
  const details = lastLines(output);
  if (/ENOSPC/.test(output))
    return new Problem('The disk is full. Free some space and try again.', { details });
  if (/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ENOTCACHED|network/i.test(output)) {
    return new Problem('The packages could not be downloaded: no network. Connect to it and try again.', {
      details,
    });
  }
  if (/EUSAGE|can only install packages when/.test(output)) {
    // What npm says first is what differs; at the end comes its manual.
    const differences = output.split('\n').filter((line) => /Missing:|Invalid:/.test(line));
    return new Problem('package.json and package-lock.json do not match. Run npm install, then try again.', {
      details: differences.slice(0, 10).join('\n'),
    });
  }
  if (/EACCES|EPERM/.test(output)) {
    return new Problem(
      `npm may not write in ${repository}/node_modules. Make it yours (chown) and try again.`,
      { details },
    );
  }
  return new Problem('npm ci failed; its last lines say why:', { details });
}
