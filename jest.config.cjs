const { execFileSync } = require('node:child_process');
const { libraryFolders } = require('./tools/local/projects.cjs');

// The sources that git ignores: jest works by itself in a new checkout.
execFileSync(process.execPath, [`${__dirname}/tools/generate.mjs`]);

// One jest run for the whole repository: projects differ only in what they need around them.
const shared = {
  rootDir: __dirname,
  testEnvironment: '<rootDir>/tools/checks/jest-environment.cjs',
  runtime: '<rootDir>/tools/checks/jest-runtime.cjs',
  transform: {
    '^.+\\.ts$': ['@swc/jest', { swcrc: true }],
    // ES modules: one that the provider's official SDK requires, and one that compares screenshots. Node can, jest
    // cannot.
    '/(@scure/base|pixelmatch)/index\\.js$': ['@swc/jest', { swcrc: false, module: { type: 'commonjs' } }],
  },
  transformIgnorePatterns: ['/node_modules/(?!@scure/base/|pixelmatch/)'],
  moduleNameMapper: {
    '^jssha$': '<rootDir>/tools/checks/sha256.cjs',
    '^@tollbridge/app-tee/testing$': '<rootDir>/apps/tee/src/testing/tee-harness.ts',
    '^@tollbridge/app-([^/]+)$': '<rootDir>/apps/$1/src/index.ts',
    ...Object.fromEntries(
      Object.entries(libraryFolders()).flatMap(([name, folder]) => [
        [`^${name}$`, `<rootDir>/${folder}/src/index.ts`],
        [`^${name}/([^/]+)$`, `<rootDir>/${folder}/src/$1/index.ts`],
      ]),
    ),
  },
  modulePathIgnorePatterns: ['/dist/', '/\\.nx/', '/\\.forge/', '/\\.tollbridge/', '<rootDir>/\\.stryker/'],
  setupFiles: ['reflect-metadata'],
};
const servers = {
  globalSetup: '<rootDir>/libs/dev/testing/jest/global-setup.cjs',
  globalTeardown: '<rootDir>/libs/dev/testing/jest/global-teardown.cjs',
};

module.exports = {
  // The one limit of tests, before and after each: it ends what hangs. Two files share the cores: 15 s alone become a
  // minute beside another file, and more on a slow machine.
  testTimeout: 180_000,
  testSequencer: '<rootDir>/tools/checks/longest-first.cjs',
  projects: [
    {
      ...shared,
      displayName: 'unit',
      testMatch: ['<rootDir>/{libs,apps}/**/*.spec.ts'],
      testPathIgnorePatterns: ['/node_modules/', '\\.(int|drill)\\.spec\\.ts$'],
    },
    { ...shared, ...servers, displayName: 'int', testMatch: ['<rootDir>/{libs,apps}/**/*.int.spec.ts'] },
    { ...shared, ...servers, displayName: 'e2e', testMatch: ['<rootDir>/e2e/**/*.e2e.spec.ts'] },
    {
      ...shared,
      ...servers,
      displayName: 'drills',
      testMatch: ['<rootDir>/{e2e,libs,apps}/**/*.drill.spec.ts'],
    },
  ],
};
