/**
 * The part of package.json and package-lock.json that `npm start` installs: `dependencies` and `sandboxPackages`.
 * npm alone cannot leave out the rest: packages for tests are optional peers of packages that are needed.
 * @typedef {{ version?: string, link?: boolean, resolved?: string, dependencies?: Record<string, string>, optionalDependencies?: Record<string, string>, peerDependencies?: Record<string, string>, peerDependenciesMeta?: Record<string, { optional?: boolean }> }} LockEntry
 * @typedef {{ name: string, version: string, packages: Record<string, LockEntry> }} Lockfile
 */

/**
 * A package.json and its lock file, with the versions of the whole lock file.
 * @param {any} manifest the whole package.json
 * @param {Lockfile} lock the whole package-lock.json
 */
export function startInstallation(manifest, lock) {
  const { name, version, sandboxPackages } = manifest;
  const known = { ...manifest.devDependencies, ...manifest.optionalDependencies };
  /** @param {(name: string) => boolean} isWanted */
  const chosen = (isWanted) =>
    Object.fromEntries(sandboxPackages.filter(isWanted).map((/** @type {string} */ it) => [it, known[it]]));
  const isOptional = (/** @type {string} */ it) => it in manifest.optionalDependencies;
  const dependencies = { ...manifest.dependencies, ...chosen((it) => !isOptional(it)) };
  const optionalDependencies = chosen(isOptional);
  const all = { ...dependencies, ...optionalDependencies };
  const root = { name, version, dependencies, optionalDependencies };
  const packages = packagesFor(lock, Object.keys(all));
  return {
    manifest: { ...root, private: true, overrides: overridesFor(manifest.overrides, all) },
    lock: { ...lock, packages: { '': root, ...packages } },
  };
}

/**
 * All packages, without the workspaces, which are links.
 * @param {any} manifest the whole package.json
 * @param {Lockfile} lock the whole package-lock.json
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
 * The packages of a lock file that these need, with themselves.
 * @param {Lockfile} lock @param {string[]} names
 * @returns {Record<string, LockEntry>} by their places
 */
export function packagesFor(lock, names) {
  const paths = reachable(lock.packages, names);
  return Object.fromEntries(Object.entries(lock.packages).filter(([path]) => paths.has(path)));
}

/**
 * `$name` means the version of a package of package.json; npm rejects one that is not there.
 * @param {Record<string, any>} overrides @param {Record<string, string>} all dependencies
 */
export function overridesFor(overrides, all) {
  const isKnown = (/** @type {any} */ value) =>
    typeof value !== 'string' || !value.startsWith('$') || value.slice(1) in all;
  return Object.fromEntries(Object.entries(overrides).filter(([, value]) => isKnown(value)));
}

// Named as a peer by packages that only ship types for it: 20 MB that nothing loads.
const typePeers = ['typescript'];

/**
 * The places of packages and of all that they need, without optional peers.
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

/** Where Node.js finds a package from another one. @param {Record<string, LockEntry>} packages @param {string} from @param {string} name */
function resolve(packages, from, name) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(folder.lastIndexOf('node_modules/') - 1, 0))) {
    const path = `${folder}${folder && '/'}node_modules/${name}`;
    if (path in packages) return path;
    if (folder === '') return undefined;
  }
}
