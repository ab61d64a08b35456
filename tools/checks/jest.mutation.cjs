// The unit tests as stryker.config.mjs runs them: those of one part, in the environment that counts which test covers
// what.
const { projects } = require('../../jest.config.cjs');
const parts = require('./mutation-parts.cjs');

module.exports = {
  ...projects.find(({ displayName }) => displayName === 'unit'),
  displayName: undefined,
  testMatch: [`<rootDir>/${parts[process.env.MUTATION_PART].tests}/**/*.spec.ts`],
  testEnvironment: '@stryker-mutator/jest-runner/jest-env/node',
  testTimeout: 20_000,
};
