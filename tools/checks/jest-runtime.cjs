const Runtime = require('jest-runtime').default;
const { isShared, sharesModules } = require('./shared-modules.cjs');

/** The runtime that holds what files share, one per process. @type {Runtime | undefined} */
let shared;

/**
 * What each file of this process was compiled to, with its source.
 * @type {Map<string, { source: string, compiled: Function }>}
 */
const compiledFiles = new Map();

/**
 * Jest's runtime, except that packages and the product are loaded once per process instead of once per test file. Most
 * of the time that a file took to start went into them. Tests and what only tests use are run again for each file, as
 * before, but compiled once. The files of a process share their globals for it (`jest-environment.cjs`), so that
 * `instanceof` holds everywhere.
 */
module.exports = class extends Runtime {
  constructor(...options) {
    super(...options);
    this.sharesModules = sharesModules(this._testPath);
    shared ??= openShared(options);
    compileOnce(this.executor);
  }

  requireModule(from, moduleName, options, isRequireActual) {
    if (moduleName === undefined || options?.isInternalModule || this._resolution.isCoreModule(moduleName))
      return super.requireModule(from, moduleName, options, isRequireActual);
    const path = this._resolution.resolveCjs(from, moduleName);
    if (isShared(path, this.sharesModules)) return shared.requireModule(from, moduleName);
    return super.requireModule(from, moduleName, options, isRequireActual);
  }
};

/** @param {ConstructorParameters<typeof Runtime>} options */
function openShared(options) {
  const runtime = new Runtime(...options);
  // Fastify searches `require.cache` for the name of each plugin, which takes jest milliseconds. It can do without, as
  // Node's single executables have none either.
  const builder = runtime.executor.requireBuilder;
  const build = builder.for;
  builder.for = function (...given) {
    const require = build.apply(this, given);
    require.cache = undefined;
    return require;
  };
  return runtime;
}

/**
 * A compiled file belongs to the globals of the process, which all test files share: it runs with other modules each
 * time.
 */
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
