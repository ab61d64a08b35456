const { sep } = require('node:path');
const Runtime = require('jest-runtime').default;

const packages = `${sep}node_modules${sep}`;

/** The runtime that holds the installed packages, one per process. @type {Runtime | undefined} */
let shared;

/** What each file of this process was compiled to, with its source. @type {Map<string, { source: string, compiled: Function }>} */
const compiledFiles = new Map();

/**
 * Jest's runtime, except that installed packages are loaded once per process instead of once per test file: most of the time
 * that a file took to start went into TypeORM and Nest. Code of the repository is run again for each file, as before, but
 * compiled once. The files of a process share their globals for it (`jest-environment.cjs`), so that `instanceof` holds everywhere.
 */
module.exports = class extends Runtime {
  constructor(...options) {
    super(...options);
    shared ??= openShared(options);
    compileOnce(this.executor);
  }

  requireModule(from, moduleName, options, isRequireActual) {
    if (moduleName === undefined || options?.isInternalModule || this._resolution.isCoreModule(moduleName))
      return super.requireModule(from, moduleName, options, isRequireActual);
    const path = this._resolution.resolveCjs(from, moduleName);
    if (!path.includes(packages)) return super.requireModule(from, moduleName, options, isRequireActual);
    return shared.requireModule(from, moduleName);
  }
};

/** @param {ConstructorParameters<typeof Runtime>} options */
function openShared(options) {
  const runtime = new Runtime(...options);
  // Fastify searches `require.cache` for the name of each plugin, which takes jest milliseconds. It can do without, as Node's
  // single executables have none either.
  const builder = runtime.executor.requireBuilder;
  const build = builder.for;
  builder.for = function (...given) {
    const require = build.apply(this, given);
    require.cache = undefined;
    return require;
  };
  return runtime;
}

/** A compiled file belongs to the globals of the process, which all test files share: it runs with other modules each time. */
function compileOnce(executor) {
  const { compile } = executor;
  executor.compile = (source, filename) => {
    const known = compiledFiles.get(filename);
    if (known?.source === source) return known.compiled;
    const compiled = compile.call(executor, source, filename);
    if (compiled) compiledFiles.set(filename, { source, compiled });
    return compiled;
  };
}
