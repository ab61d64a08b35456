// The unit tests of one part for stryker.config.mjs, in the environment that records which test covers which code.
const { projects } = require('../../jest.config.cjs');
const parts = require('./mutation-parts.cjs');

module.exports = {
  ...projects.find(({ displayName }) => displayName === 'unit'),
  displayName: undefined,
  testMatch: [`<rootDir>/${parts[process.env.MUTATION_PART].tests}/**/*.spec.ts`],
  testEnvironment: '@stryker-mutator/jest-runner/jest-env/node',
  testTimeout: 20_000,
};
