const { sep } = require('node:path');
const Runtime = require('jest-runtime').default;

const packages = `${sep}node_modules${sep}`;

/** The runtime that holds the installed packages, one per process. @type {Runtime | undefined} */
let shared;

/**
 * Jest's runtime, except that installed packages are loaded once per process instead of once per test file: most of the time
 * that a file took to start went into TypeORM and Nest. Code of the repository is loaded again for each file, as before.
 * The files of a process share their globals for it (`jest-environment.cjs`), so that `instanceof` holds everywhere.
 */
module.exports = class extends Runtime {
  constructor(...options) {
    super(...options);
    shared ??= new Runtime(...options);
  }

  requireModule(from, moduleName, options, isRequireActual) {
    if (moduleName === undefined || options?.isInternalModule || this._resolution.isCoreModule(moduleName))
      return super.requireModule(from, moduleName, options, isRequireActual);
    const path = this._resolution.resolveCjs(from, moduleName);
    if (!path.includes(packages)) return super.requireModule(from, moduleName, options, isRequireActual);
    return shared.requireModule(from, moduleName);
  }
};
