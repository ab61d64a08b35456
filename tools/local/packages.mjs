import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { copyFile, lstat, mkdir, readdir, readlink, rm, symlink } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { withLockFile } from './directory-lock.mjs';
import { repository } from './directory.mjs';
import { Problem } from './problem.mjs';
import { lastLines, runCommand } from './run-command.mjs';
import { startInstallation, wholeInstallation } from './start-packages.mjs';

const place = join(repository, 'node_modules');
const stamp = join(place, '.tollbridge-lock');
// Beside node_modules, so that a finished installation takes its place by a rename.
const draft = join(repository, '.tollbridge-install');
const lockFile = join(repository, '.tollbridge-install.lock');
const progressMs = 1_000;

/**
 * `start`: packages that `npm start` needs; `all`: those of tests and development too.
 * @typedef {'start' | 'all'} Extent
 */

/** On disk, for the line that is shown while they are installed. @type {Record<Extent, string>} */
const sizes = { start: '0.9 GB', all: '1.8 GB' };

/**
 * Installs the packages of package-lock.json unless they are there. Waits for another process that installs them.
 * @param {(text: string) => void} note @param {Extent} [extent]
 */
export async function ensurePackages(note, extent = 'all') {
  const files = { manifest: readJson('package.json'), lock: readJson('package-lock.json') };
  const digest = createHash('sha256').update(JSON.stringify(files)).digest('hex');
  const areInPlace = () => {
    const known = readStamp();
    // Everything holds what a start needs.
    return known.digest === digest && (known.extent === extent || known.extent === 'all');
  };
  if (areInPlace()) return note('in place');
  const onWait = (/** @type {number} */ holder) =>
    note(`waiting for process ${holder}, which installs packages`);
  await withLockFile(lockFile, onWait, async () => {
    if (areInPlace()) return note('in place');
    await installMissing(files, digest, extent, note);
  });
}

/** @param {{ manifest: any, lock: any }} files @param {string} digest @param {Extent} extent @param {(text: string) => void} note */
async function installMissing(files, digest, extent, note) {
  const found = /** @type {const} */ (['all', extent]).find((it) => isInstalled(wantedFiles(files, it).lock));
  if (found) await linkWorkspaces(place);
  else await install(wantedFiles(files, extent), extent, note);
  writeStamp({ digest, extent: found ?? extent });
}

/** @param {{ manifest: any, lock: any }} files @param {Extent} extent */
const wantedFiles = ({ manifest, lock }, extent) =>
  extent === 'all' ? wholeInstallation(manifest, lock) : startInstallation(manifest, lock);

/** @param {string} name */
const readJson = (name) => JSON.parse(readFileSync(join(repository, name), 'utf8'));

/** @returns {{ digest?: string, extent?: Extent }} */
function readStamp() {
  try {
    return JSON.parse(readFileSync(stamp, 'utf8'));
  } catch {
    return {};
  }
}

/** Renamed into its place: it may be a hard link to the one of another checkout. @param {object} content */
function writeStamp(content) {
  writeFileSync(`${stamp}.new`, JSON.stringify(content));
  renameSync(`${stamp}.new`, stamp);
}

/** npm keeps its own list of what lies in node_modules: someone may have installed by hand. @param {any} lock */
function isInstalled({ packages: wanted }) {
  const hidden = join(place, '.package-lock.json');
  if (!existsSync(hidden)) return false;
  const { packages: present } = JSON.parse(readFileSync(hidden, 'utf8'));
  return pathsOf(wanted).every((path) => {
    const { version, optional } = wanted[path];
    // Optional packages are for other platforms, mostly.
    const isOther = optional && !isForThisPlatform(wanted[path]);
    return present[path] ? present[path].version === version : isOther;
  });
}

/** False for an optional package that names no platform: npm may leave it out. @param {{ os?: string[], cpu?: string[], libc?: string[] }} entry */
function isForThisPlatform({ os, cpu, libc }) {
  const isGlibc = /** @type {any} */ (process.report.getReport()).header.glibcVersionRuntime !== undefined;
  return (
    os?.includes(process.platform) &&
    cpu?.includes(process.arch) &&
    (libc === undefined || libc.includes(isGlibc ? 'glibc' : 'musl'))
  );
}

/** @param {Record<string, any>} packages */
const pathsOf = (packages) => Object.keys(packages).filter((path) => path !== '');

/** @param {{ manifest: any, lock: any }} files @param {Extent} extent @param {(text: string) => void} note */
async function install(files, extent, note) {
  const paths = pathsOf(files.lock.packages);
  const title = `${paths.length} packages, about ${sizes[extent]}`;
  const show = () => {
    const done = paths.filter((path) => existsSync(join(draft, path, 'package.json'))).length;
    note(`installing ${title}: ${Math.floor((done * 100) / paths.length)} %`);
  };
  note(`installing ${title}`);
  const timer = setInterval(show, progressMs);
  try {
    await installAside(files);
  } finally {
    clearInterval(timer);
  }
  note(`${paths.length} packages installed, ${Math.round((await sizeOf(place)) / 1e6)} MB`);
}

/**
 * Installs in another folder and moves the result into place: an interrupted installation changes nothing, and a
 * running Tollbridge finds its files at any moment.
 * @param {{ manifest: any, lock: any }} files
 */
async function installAside({ manifest, lock }) {
  rmSync(draft, { recursive: true, force: true });
  await mkdir(draft);
  writeFileSync(join(draft, 'package.json'), JSON.stringify(manifest));
  writeFileSync(join(draft, 'package-lock.json'), JSON.stringify(lock));
  await copyFile(join(repository, '.npmrc'), join(draft, '.npmrc'));
  await runNpm(draft);
  await linkWorkspaces(join(draft, 'node_modules'));
  if (existsSync(place)) renameSync(place, join(draft, 'old'));
  renameSync(join(draft, 'node_modules'), place);
  rmSync(draft, { recursive: true, force: true });
}

/** As npm does it for `workspaces`: by links that are right once the folder is in its place. @param {string} folder */
export async function linkWorkspaces(folder) {
  const { packages } = readJson('package-lock.json');
  for (const [path, { link, resolved }] of Object.entries(packages)) {
    if (!link) continue;
    const target = join(dirname(folder), path);
    await linkTo(relative(dirname(join(repository, path)), join(repository, resolved)), target);
    // Programs of a workspace: `npx tollbridge`.
    for (const [name, file] of Object.entries(packages[resolved]?.bin ?? {}))
      if (existsSync(join(repository, resolved, file)))
        await linkTo(join('..', relative('node_modules', path), file), join(folder, '.bin', name));
  }
}

/** An earlier link, of a folder that was moved since, is replaced. @param {string} source @param {string} target */
async function linkTo(source, target) {
  if (
    await readlink(target).then(
      (known) => known === source,
      () => false,
    )
  )
    return;
  await mkdir(dirname(target), { recursive: true });
  await rm(target, { force: true });
  await symlink(source, target);
}

/** @param {string} folder */
async function runNpm(folder) {
  const npm = process.env.npm_execpath;
  // Peers are in the lock file where they are needed (start-packages.mjs).
  const peers = '--legacy-peer-deps';
  const args = ['ci', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error', peers];
  const { code, output } = npm
    ? await runCommand(process.execPath, [npm, ...args], { cwd: folder, env: npmEnvironment() })
    : await runCommand('npm', args, { cwd: folder, env: npmEnvironment() });
  if (code !== 0) throw failure(output);
}

/** `npm start` names its own folder to the npm that runs below it. */
function npmEnvironment() {
  const isOwn = (/** @type {[string, unknown]} */ [name]) =>
    !['npm_config_local_prefix', 'INIT_CWD'].includes(name);
  return Object.fromEntries(Object.entries(process.env).filter(isOwn));
}

/** The bytes that the files of a folder take. @param {string} folder @returns {Promise<number>} */
async function sizeOf(folder) {
  const entries = await readdir(folder, { withFileTypes: true });
  const sizes = await Promise.all(
    entries.map(async (entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return sizeOf(path);
      return entry.isFile() ? (await lstat(path)).blocks * 512 : 0;
    }),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
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
