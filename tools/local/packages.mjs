import { createHash } from 'node:crypto';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { copyFile, lstat, mkdir, readdir, readlink, rm, symlink } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { withLockFile } from './directory-lock.mjs';
import { repository } from './directory.mjs';
import { Problem } from './problem.mjs';
import { lastLines, runCommand } from './run-command.mjs';
import { groupInstallation, groupsOf, missingInstallation, wholeInstallation } from './start-packages.mjs';

const place = join(repository, 'node_modules');
const stamp = join(place, '.tollbridge-lock');
const hiddenLock = join(place, '.package-lock.json');
// Next to node_modules, so that a finished installation can be moved by a rename.
const draft = join(repository, '.tollbridge-install');
const lockFile = join(repository, '.tollbridge-install.lock');
const progressMs = 1_000;

// Unused compilers, which are 27 of the 35 MB of their package.
const unusedParts = ['lite', 'verification'].map(
  (name) => `node_modules/@zktx.io/sui-move-builder/dist/${name}`,
);

const virtualMachines = ['ton', 'solana', 'sui'];

/**
 * The groups that `npm start` needs before the first payment. `services` is installed after it.
 * @param {NodeJS.ProcessEnv} env @param {string[]} networks local networks in addition to the EVM nodes
 */
export const paymentGroups = (env, networks) => [
  ...['first', 'sandbox', 'apps'],
  ...virtualMachines.filter((name) => networks.includes(name)),
  ...(env.OTEL_EXPORTER_OTLP_ENDPOINT ? ['tracing'] : []),
];

/**
 * Installs missing groups of packages from package-lock.json; `all` is every package. Waits if another process installs
 * them.
 * @param {(text: string) => void} note
 * @param {string[]} [groups] groups of start-packages.mjs
 */
export async function ensurePackages(note, groups = ['all']) {
  const files = { manifest: readJson('package.json'), lock: readJson('package-lock.json') };
  const digest = createHash('sha256').update(JSON.stringify(files)).digest('hex');
  const areInPlace = () => {
    const known = readStamp();
    return known.digest === digest && groups.every((group) => known.groups.includes(group));
  };
  if (areInPlace()) return note('in place');
  const onWait = (/** @type {number} */ holder) =>
    note(`waiting for process ${holder}, which installs packages`);
  await withLockFile(lockFile, onWait, async () => {
    if (areInPlace()) return note('in place');
    await installMissing(files, digest, groups, note);
  });
}

/**
 * @param {{ manifest: any, lock: any }} files
 * @param {string} digest
 * @param {string[]} groups
 * @param {(text: string) => void} note
 */
async function installMissing(files, digest, groups, note) {
  const everything = ['all', ...Object.keys(groupsOf(files.manifest))];
  const present = readHiddenLock();
  const isPresent = (/** @type {string} */ path) => isInPlace(path, files.lock, present);
  const whole = pathsOf(wantedFiles(files, ['all']).lock.packages);
  // Groups that were installed from an earlier package-lock.json stay installed.
  const kept = readStamp().groups.filter((group) => everything.includes(group));
  const wanted = [...new Set([...kept, ...groups])];
  if (whole.every(isPresent)) {
    await linkWorkspaces(place);
    return writeStamp({ digest, groups: everything });
  }
  const isOfOtherVersions = whole.some((path) => present[path] && !isPresent(path));
  if (Object.keys(present).length > 0 && !isOfOtherVersions) {
    const missing = missingInstallation(wantedFiles(files, wanted), isPresent);
    if (pathsOf(missing.lock.packages).length > 0) await install(missing, note, addPackages);
    await linkWorkspaces(place);
  } else await install(wantedFiles(files, wanted), note, replacePackages);
  writeStamp({ digest, groups: wanted.includes('all') ? everything : wanted });
}

/** @param {{ manifest: any, lock: any }} files @param {string[]} groups */
const wantedFiles = ({ manifest, lock }, groups) =>
  groups.includes('all') ? wholeInstallation(manifest, lock) : groupInstallation(manifest, lock, groups);

/** @param {string} name */
const readJson = (name) => JSON.parse(readFileSync(join(repository, name), 'utf8'));

/** @returns {{ digest?: string, groups: string[] }} */
function readStamp() {
  try {
    return { groups: [], ...JSON.parse(readFileSync(stamp, 'utf8')) };
  } catch {
    return { groups: [] };
  }
}

/**
 * Replaces the file by a rename, because it may be a hard link to the file of another checkout. @param {object} content
 */
function writeStamp(content) {
  writeFileSync(`${stamp}.new`, JSON.stringify(content));
  renameSync(`${stamp}.new`, stamp);
}

/**
 * Reads npm's own list of the packages in node_modules, because a person may have run npm.
 * @returns {Record<string, any>}
 */
function readHiddenLock() {
  return existsSync(hiddenLock) ? JSON.parse(readFileSync(hiddenLock, 'utf8')).packages : {};
}

/** @param {string} path @param {any} lock @param {Record<string, any>} present */
function isInPlace(path, { packages }, present) {
  const entry = packages[path];
  if (!entry) return false;
  // Most optional packages are for other platforms.
  return present[path]
    ? present[path].version === entry.version
    : Boolean(entry.optional) && !isForThisPlatform(entry);
}

/**
 * Returns false for an optional package without a platform, because npm may omit it.
 * @param {{ os?: string[], cpu?: string[], libc?: string[] }} entry
 */
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

/**
 * Installs into another folder and moves the result. An interrupted installation changes nothing, and a running
 * Tollbridge can read its files at any time.
 * @param {{ manifest: any, lock: any }} files
 * @param {(text: string) => void} note
 * @param {() => Promise<void>} moveIntoPlace
 */
async function install({ manifest, lock }, note, moveIntoPlace) {
  const paths = pathsOf(lock.packages);
  const show = () => {
    const done = paths.filter((path) => existsSync(join(draft, path, 'package.json'))).length;
    note(`installing ${paths.length} packages: ${Math.floor((done * 100) / paths.length)} %`);
  };
  note(`installing ${paths.length} packages`);
  const timer = setInterval(show, progressMs);
  try {
    rmSync(draft, { recursive: true, force: true });
    await mkdir(draft);
    writeFileSync(join(draft, 'package.json'), JSON.stringify(manifest));
    writeFileSync(join(draft, 'package-lock.json'), JSON.stringify(lock));
    await copyFile(join(repository, '.npmrc'), join(draft, '.npmrc'));
    await runNpm(draft);
    for (const path of unusedParts) rmSync(join(draft, path), { recursive: true, force: true });
  } finally {
    clearInterval(timer);
  }
  const bytes = await sizeOf(join(draft, 'node_modules'));
  await moveIntoPlace();
  rmSync(draft, { recursive: true, force: true });
  note(`${paths.length} packages installed, ${Math.round(bytes / 1e6)} MB`);
}

async function replacePackages() {
  await linkWorkspaces(join(draft, 'node_modules'));
  if (existsSync(place)) renameSync(place, join(draft, 'old'));
  renameSync(join(draft, 'node_modules'), place);
}

/** Moves each package by one rename, and npm's list at the end, so that an interruption loses no package. */
async function addPackages() {
  const folder = join(draft, 'node_modules');
  const added = Object.keys(JSON.parse(readFileSync(join(folder, '.package-lock.json'), 'utf8')).packages);
  const programs = existsSync(join(folder, '.bin')) ? readdirSync(join(folder, '.bin')) : [];
  // A parent comes before the packages inside it, which move with it.
  for (const path of [...added.sort(), ...programs.map((name) => `node_modules/.bin/${name}`)]) {
    const source = join(draft, path);
    if (lstatSync(source, { throwIfNoEntry: false }) === undefined) continue;
    const target = join(repository, path);
    mkdirSync(dirname(target), { recursive: true });
    rmSync(target, { recursive: true, force: true });
    renameSync(source, target);
  }
  const known = JSON.parse(readFileSync(hiddenLock, 'utf8'));
  const whole = readJson('package-lock.json').packages;
  for (const path of added) known.packages[path] = whole[path];
  writeFileSync(`${hiddenLock}.new`, JSON.stringify(known, null, 2));
  renameSync(`${hiddenLock}.new`, hiddenLock);
}

/** Creates the links of npm `workspaces`. They are valid after the folder is moved. @param {string} folder */
export async function linkWorkspaces(folder) {
  const { packages } = readJson('package-lock.json');
  for (const [path, { link, resolved }] of Object.entries(packages)) {
    if (!link) continue;
    const target = join(dirname(folder), path);
    await linkTo(relative(dirname(join(repository, path)), join(repository, resolved)), target);
    // Creates links to the programs of a workspace, such as `npx tollbridge`.
    for (const [name, file] of Object.entries(packages[resolved]?.bin ?? {}))
      if (existsSync(join(repository, resolved, file)))
        await linkTo(join('..', relative('node_modules', path), file), join(folder, '.bin', name));
  }
}

/** Replaces an earlier link if its folder was moved. @param {string} source @param {string} target */
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
  // The lock file already contains the required peer dependencies (start-packages.mjs).
  const peers = '--legacy-peer-deps';
  const args = ['ci', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error', peers];
  const { code, output } = npm
    ? await runCommand(process.execPath, [npm, ...args], { cwd: folder, env: npmEnvironment() })
    : await runCommand('npm', args, { cwd: folder, env: npmEnvironment() });
  if (code !== 0) throw failure(output);
}

/** Removes the variables that would pass the folder of `npm start` to npm. */
function npmEnvironment() {
  const isOwn = (/** @type {[string, unknown]} */ [name]) =>
    !['npm_config_local_prefix', 'INIT_CWD'].includes(name);
  return Object.fromEntries(Object.entries(process.env).filter(isOwn));
}

/** Returns the size of the files in a folder in bytes. @param {string} folder @returns {Promise<number>} */
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
    // The output of npm begins with the differences and ends with its manual.
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
