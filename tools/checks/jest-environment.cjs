const { AsyncLocalStorage } = require('node:async_hooks');
const vm = require('node:vm');
const { sharesModules } = require('./shared-modules.cjs');
const { TestEnvironment } = require('jest-environment-node');
const { LegacyFakeTimers, ModernFakeTimers } = require('@jest/fake-timers');
const { ModuleMocker } = require('jest-mock');

/** Symbols in the globals where jest's runner stores the state of a test file. */
const ofRunner = new Set([
  'JEST_STATE_SYMBOL',
  'EVENT_HANDLERS',
  'TEST_TIMEOUT_SYMBOL',
  'RETRY_TIMES',
  'RETRY_IMMEDIATELY',
  'WAIT_BEFORE_RETRY',
  'LOG_ERRORS_BEFORE_RETRY',
]);

/** Globals where TypeORM and class-validator store the declarations of decorators. */
const storages = ['typeormMetadataArgsStorage', 'classValidatorMetadataStorage'];

/** Jest's Node environment, created once for all test files of a process. @type {TestEnvironment | undefined} */
let shared;

/** Storages that were used since the last test file of this process. @type {Set<AsyncLocalStorage<unknown>>} */
const usedStorages = new Set();
for (const name of ['run', 'enterWith']) {
  const original = AsyncLocalStorage.prototype[name];
  AsyncLocalStorage.prototype[name] = function (...given) {
    usedStorages.add(this);
    return original.apply(this, given);
  };
}

/** Jest's environment for Node, with four changes. */
module.exports = class {
  constructor(config, context) {
    shared ??= openContext(config, context);
    // The files of a process share their globals, because they share the packages that `jest-runtime.cjs` loads.
    this.global = shared.global;
    this.context = shared.context;
    this.moduleMocker = new ModuleMocker(this.global);
    const timers = { config: config.projectConfig, global: this.global };
    this.fakeTimersModern = new ModernFakeTimers(timers);
    this.fakeTimers = null;
    this.before = { ...this.global.process.env };
    this.exit = this.global.process.exit;
    this.sharesModules = sharesModules(context.testPath);
    this.kept = Object.fromEntries(storages.map((name) => [name, this.global[name]]));
    if (!this.sharesModules) for (const name of storages) delete this.global[name];
  }

  getVmContext() {
    return this.context;
  }

  exportConditions() {
    return shared.exportConditions();
  }

  async setup() {}

  /** Removes the changes of a test file from the globals. */
  async teardown() {
    this.fakeTimersModern.dispose();
    this.moduleMocker.restoreAllMocks();
    const { env } = this.global.process;
    for (const name of Object.keys(env)) if (!(name in this.before)) delete env[name];
    Object.assign(env, this.before);
    this.global.process.exit = this.exit;
    // Each file creates its own storages, and Node copies the values of all enabled storages to every promise. Without
    // this, files at the end of a run need a fifth more processor time. A storage of a package is enabled again when it
    // is next used.
    for (const storage of usedStorages) storage.disable();
    usedStorages.clear();
    // The classes of a file with separate modules must not be visible to other files.
    if (!this.sharesModules) for (const name of storages) this.global[name] = this.kept[name];
    // Jest's runner stores its state and the listeners of each file in these symbols.
    for (const key of Object.getOwnPropertySymbols(this.global))
      if (ofRunner.has(key.description)) delete this.global[key];
  }

  // Jest sends the errors of failed tests between processes as JSON. An error with a circular property, such as the
  // request of an axios error, would end the whole run without a result.
  async handleTestEvent(event) {
    if (event.name === 'test_done')
      event.test.errors = event.test.errors.map((entry) => [].concat(entry).map(withoutCircles));
  }
};

/** Opens an environment in an ordinary context. @returns {TestEnvironment} */
function openContext(config, context) {
  // Jest puts a Proxy before the globals of a test file, so each `Uint8Array` or `parseInt` in a loop costs a call. In
  // an ordinary context, a file that deploys contracts needs a seventh less processor time.
  const { createContext } = vm;
  vm.createContext = () => createContext(vm.constants.DONT_CONTEXTIFY);
  try {
    return new TestEnvironment(config, context);
  } finally {
    vm.createContext = createContext;
  }
}

/** Returns the error with message and stack, without properties that JSON cannot represent. */
function withoutCircles(error) {
  if (error === null || typeof error !== 'object') return error;
  try {
    JSON.stringify(error);
    return error;
  } catch {
    const plain = new Error(error.message);
    plain.name = error.name;
    plain.stack = error.stack;
    return plain;
  }
}
