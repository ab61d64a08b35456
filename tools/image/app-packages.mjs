import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Problem } from '../local/problem.mjs';
import { overridesFor, packagesFor } from '../local/start-packages.mjs';

/** Where an image runs, as npm writes it in `os` and `cpu`. @typedef {{ os: string, cpu: string }} Platform */

/** @type {Record<string, Platform>} */
const platforms = {
  'linux/amd64': { os: 'linux', cpu: 'x64' },
  'linux/arm64': { os: 'linux', cpu: 'arm64' },
};

/** @param {string} [name] as Docker writes it; by default that of this machine @returns {Platform} */
export function readPlatform(name = `linux/${process.arch === 'arm64' ? 'arm64' : 'amd64'}`) {
  if (name in platforms) return platforms[name];
  throw new Problem(`There is no image for ${name}. Use ${Object.keys(platforms).join(' or ')}.`);
}

/**
 * The package.json and the lock file of an app's image: the packages that its files load, with all that these need.
 * @param {string} root the checkout
 * @param {{ app: string, packages: Iterable<string>, platform: Platform }} wanted
 */
export function imagePackages(root, { app, packages, platform }) {
  const read = (/** @type {string} */ name) => JSON.parse(readFileSync(join(root, name), 'utf8'));
  const { version, license, dependencies, overrides } = read('package.json');
  const own = [...packages].sort();
  const undeclared = own.filter((name) => !(name in dependencies));
  if (undeclared.length > 0)
    throw new Error(`${app} loads ${undeclared.join(', ')}: add them to the dependencies of package.json`);
  const isForPlatform = (/** @type {any} */ { os, cpu, libc }) =>
    allows(os, platform.os) && allows(cpu, platform.cpu) && allows(libc, 'glibc');
  const lock = read('package-lock.json');
  const found = Object.entries(packagesFor(lock, own)).filter(([, entry]) => isForPlatform(entry));
  const wanted = Object.fromEntries(own.map((name) => [name, dependencies[name]]));
  const manifest = {
    name: `@tollbridge/app-${app}`,
    version,
    license,
    private: true,
    main: `apps/${app}/dist/main.js`,
    dependencies: wanted,
    overrides: overridesFor(overrides, wanted),
  };
  const entries = Object.fromEntries(found.map(([path, entry]) => [path, withoutFlags(entry)]));
  return {
    manifest,
    lock: {
      name: manifest.name,
      version,
      lockfileVersion: lock.lockfileVersion,
      packages: { '': manifest, ...entries },
    },
  };
}

/** Packages that the lock file marks as development only are in the image because something loads them. */
function withoutFlags(/** @type {any} */ { dev: _dev, devOptional: _devOptional, peer: _peer, ...entry }) {
  return entry;
}

/** npm's rule for `os`, `cpu` and `libc`. @param {string[] | undefined} list @param {string} value */
const allows = (list, value) =>
  !list || list.includes(value) || (!list.includes(`!${value}`) && list.every((it) => it.startsWith('!')));

// Folders of the package itself: deeper folders of that name may be code.
const ignoredFolders = new Set(['test', 'tests', '__tests__', 'benchmark', 'docs', '.github']);
const ignoredFiles = /\.(?:map|md|markdown|[cm]?ts|flow|tsbuildinfo)$/i;
const legalFiles = /^(?:licen[cs]e|copying|notice|authors)/i;

/**
 * Whether a file or folder of a package belongs in an image: no types, maps, tests and binaries of other platforms.
 * Licences stay.
 * @param {string} path below the package's folder @param {boolean} isFolder @param {Platform} platform
 */
export function isNeeded(path, isFolder, { os, cpu }) {
  const name = basename(path);
  if (!isFolder) return legalFiles.test(name) || !ignoredFiles.test(name);
  // A package inside of a package has a place of its own in the lock file.
  if (name === 'node_modules') return false;
  const [, build] = /(?:^|\/)prebuilds\/([^/]+)$/.exec(path) ?? [];
  return build === undefined ? !ignoredFolders.has(path) : build === `${os}-${cpu}`;
}
