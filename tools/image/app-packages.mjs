import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Problem } from '../local/problem.mjs';
import { overridesFor, packagesFor } from '../local/start-packages.mjs';

/** The platform of an image, with npm's values for `os` and `cpu`. @typedef {{ os: string, cpu: string }} Platform */

/** @type {Record<string, Platform>} */
const platforms = {
  'linux/amd64': { os: 'linux', cpu: 'x64' },
  'linux/arm64': { os: 'linux', cpu: 'arm64' },
};

/** @param {string} [name] in Docker's format; the platform of this machine by default @returns {Platform} */
export function readPlatform(name = `linux/${process.arch === 'arm64' ? 'arm64' : 'amd64'}`) {
  if (name in platforms) return platforms[name];
  throw new Problem(`There is no image for ${name}. Use ${Object.keys(platforms).join(' or ')}.`);
}

/**
 * Returns the package.json and the lock file of an app's image: the packages that its files load, with their
 * dependencies.
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

/** Removes the development flags of the lock file, because production code loads these packages too. */
function withoutFlags(/** @type {any} */ { dev: _dev, devOptional: _devOptional, peer: _peer, ...entry }) {
  return entry;
}

/** npm's rule for `os`, `cpu` and `libc`. @param {string[] | undefined} list @param {string} value */
const allows = (list, value) =>
  !list || list.includes(value) || (!list.includes(`!${value}`) && list.every((it) => it.startsWith('!')));

// Only folders at the top of a package. Deeper folders with these names may contain code.
const ignoredFolders = new Set(['test', 'tests', '__tests__', 'benchmark', 'docs', '.github']);
const ignoredFiles = /\.(?:map|md|markdown|[cm]?ts|flow|tsbuildinfo)$/i;
const legalFiles = /^(?:licen[cs]e|copying|notice|authors)/i;

/**
 * Returns true if a file or folder of a package belongs in an image. Types, maps, tests and binaries of other platforms
 * are omitted. Licences are included.
 * @param {string} path below the package's folder @param {boolean} isFolder @param {Platform} platform
 */
export function isNeeded(path, isFolder, { os, cpu }) {
  const name = basename(path);
  if (!isFolder) return legalFiles.test(name) || !ignoredFiles.test(name);
  // A package inside a package has its own entry in the lock file.
  if (name === 'node_modules') return false;
  const [, build] = /(?:^|\/)prebuilds\/([^/]+)$/.exec(path) ?? [];
  return build === undefined ? !ignoredFolders.has(path) : build === `${os}-${cpu}`;
}
