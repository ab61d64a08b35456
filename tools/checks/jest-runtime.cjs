const Runtime = require('jest-runtime').default;
const { isShared, sharesModules } = require('./shared-modules.cjs');

/** The runtime with the modules that files share, one per process. @type {Runtime | undefined} */
let shared;

/**
 * The compiled code of each file in this process, with its source.
 * @type {Map<string, { source: string, compiled: Function }>}
 */
const compiledFiles = new Map();

/**
 * Jest's runtime, but packages and the product are loaded once per process instead of once per test file. Loading took
 * most of a file's start time. Tests and test helpers still run for each file, but are compiled once. The files of a
 * process share their globals (`jest-environment.cjs`), so that `instanceof` works everywhere.
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
  // Fastify searches `require.cache` for the name of each plugin, which takes milliseconds in jest. The cache is
  // optional, because Node's single executables have none.
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
 * Compiles a file once. The compiled file uses the globals of the process, which all test files share, and runs with
 * other modules each time.
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
