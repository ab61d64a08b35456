/**
 * Selects parts of package.json and package-lock.json, so that each command installs the groups of packages that it
 * needs. npm alone cannot omit the rest, because packages for tests are optional peers of required packages.
 * @typedef {{ name?: string, version?: string, optional?: boolean, link?: boolean, resolved?: string, dependencies?: Record<string, string>, optionalDependencies?: Record<string, string>, peerDependencies?: Record<string, string>, peerDependenciesMeta?: Record<string, { optional?: boolean }> }} LockEntry
 * @typedef {{ name: string, version: string, packages: Record<string, LockEntry> }} Lockfile
 */

/**
 * The groups of packages. They are the `packageGroups` of package.json, and `apps`, which has the `dependencies` that
 * no other group has.
 * @param {any} manifest the complete package.json
 * @returns {Record<string, string[]>}
 */
export function groupsOf({ dependencies, packageGroups }) {
  const elsewhere = new Set(Object.values(packageGroups).flat());
  return { apps: Object.keys(dependencies).filter((name) => !elsewhere.has(name)), ...packageGroups };
}

/**
 * Returns a package.json and its lock file with some groups, and with the versions of the complete lock file.
 * @param {any} manifest the complete package.json
 * @param {Lockfile} lock the complete package-lock.json
 * @param {string[]} groups
 */
export function groupInstallation(manifest, lock, groups) {
  const { name, version } = manifest;
  const known = { ...manifest.dependencies, ...manifest.devDependencies, ...manifest.optionalDependencies };
  const all = groupsOf(manifest);
  const names = [...new Set(groups.flatMap((group) => all[group]))];
  const isOptional = (/** @type {string} */ it) => it in manifest.optionalDependencies;
  const chosen = (/** @type {(name: string) => boolean} */ isWanted) =>
    Object.fromEntries(names.filter(isWanted).map((it) => [it, known[it]]));
  const dependencies = chosen((it) => !isOptional(it));
  const root = { name, version, dependencies, optionalDependencies: chosen(isOptional) };
  return {
    manifest: { ...root, private: true, overrides: overridesFor(manifest.overrides, dependencies) },
    lock: { ...lock, packages: { '': root, ...packagesFor(lock, names) } },
  };
}

/**
 * Returns the missing packages as a separate installation. Every missing package is listed at the top, so that npm
 * keeps it. No package refers to an installed one.
 * @param {{ manifest: any, lock: Lockfile }} whole
 * @param {(path: string) => boolean} isPresent
 */
export function missingInstallation({ manifest, lock }, isPresent) {
  const missing = Object.entries(lock.packages).filter(([path]) => path !== '' && !isPresent(path));
  const paths = new Set(missing.map(([path]) => path));
  const packages = Object.fromEntries(
    missing.map(([path, entry]) => {
      const own = (/** @type {Record<string, string>} */ needed = {}) =>
        Object.fromEntries(
          Object.entries(needed).filter(([name]) => paths.has(resolve(lock.packages, path, name) ?? '')),
        );
      const { dependencies, optionalDependencies } = entry;
      const needed = { dependencies: own(dependencies), optionalDependencies: own(optionalDependencies) };
      return [path, { ...withoutPeers(entry), ...needed }];
    }),
  );
  const { name, version } = manifest;
  const top = missing.filter(([path]) => path.lastIndexOf('node_modules/') === 0);
  const specs = (/** @type {boolean} */ isOptional) =>
    Object.fromEntries(
      top
        .filter(([, { optional = false }]) => optional === isOptional)
        .map(([path, entry]) => [path.slice('node_modules/'.length), specOf(entry)]),
    );
  const root = { name, version, dependencies: specs(false), optionalDependencies: specs(true) };
  return {
    manifest: { ...root, private: true, overrides: overridesFor(manifest.overrides, root.dependencies) },
    lock: { ...lock, packages: { '': root, ...packages } },
  };
}

/** @param {LockEntry} entry */
const withoutPeers = (entry) =>
  Object.fromEntries(Object.entries(entry).filter(([name]) => name !== 'peerDependencies'));

/** In the lock file, an alias has the name of its package. @param {LockEntry} entry */
const specOf = ({ name, version }) => (name ? `npm:${name}@${version}` : `${version}`);

/**
 * Returns all packages except the workspaces, which are links.
 * @param {any} manifest the complete package.json
 * @param {Lockfile} lock the complete package-lock.json
 */
export function wholeInstallation(manifest, lock) {
  const root = { ...lock.packages[''], workspaces: undefined };
  const isPackage = (/** @type {[string, LockEntry]} */ [path, { link }]) =>
    path.startsWith('node_modules/') && !link;
  const packages = Object.fromEntries(Object.entries(lock.packages).filter(isPackage));
  const wholeManifest = { ...manifest, workspaces: undefined };
  return { manifest: wholeManifest, lock: { ...lock, packages: { '': root, ...packages } } };
}

/**
 * Returns the named packages of a lock file with all their dependencies.
 * @param {Lockfile} lock @param {string[]} names
 * @returns {Record<string, LockEntry>} by path
 */
export function packagesFor(lock, names) {
  const paths = reachable(lock.packages, names);
  return Object.fromEntries(Object.entries(lock.packages).filter(([path]) => paths.has(path)));
}

/**
 * `$name` refers to the version of a package in package.json. npm rejects it if the package does not exist.
 * @param {Record<string, any>} overrides @param {Record<string, string>} all dependencies
 */
export function overridesFor(overrides, all) {
  const isKnown = (/** @type {any} */ value) =>
    typeof value !== 'string' || !value.startsWith('$') || value.slice(1) in all;
  return Object.fromEntries(Object.entries(overrides).filter(([, value]) => isKnown(value)));
}

// A peer of packages that only contain types for it. It has 20 MB and is never loaded.
const typePeers = ['typescript'];

/**
 * Returns the paths of packages and of all their dependencies, without optional peers.
 * @param {Record<string, LockEntry>} packages @param {string[]} names
 */
function reachable(packages, names) {
  /** @type {Set<string>} */
  const paths = new Set();
  const visit = (/** @type {string} */ from, /** @type {string} */ name) => {
    const path = resolve(packages, from, name);
    if (path === undefined || paths.has(path)) return;
    paths.add(path);
    const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } = packages[path];
    const peers = Object.keys(peerDependencies ?? {}).filter(
      (it) => !peerDependenciesMeta?.[it]?.optional && !typePeers.includes(it),
    );
    for (const needed of [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers])
      visit(path, needed);
  };
  for (const name of names) visit('', name);
  return paths;
}

/**
 * Returns the path where Node.js finds a package that another package imports.
 * @param {Record<string, LockEntry>} packages
 * @param {string} from
 * @param {string} name
 */
function resolve(packages, from, name) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(folder.lastIndexOf('node_modules/') - 1, 0))) {
    const path = `${folder}${folder && '/'}node_modules/${name}`;
    if (path in packages) return path;
    if (folder === '') return undefined;
  }
}
