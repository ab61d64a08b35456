// The unit tests of one part for stryker.config.mjs, in the environment that records which test covers which code.
const { projects } = require('../../jest.config.cjs');
const parts = require('./mutation-parts.cjs');

// Its runtime shares modules between files, which needs the environment of `npm test`.
const {
  runtime: _runtime,
  displayName: _name,
  ...unit
} = projects.find(({ displayName }) => displayName === 'unit');

module.exports = {
  ...unit,
  testMatch: [`<rootDir>/${parts[process.env.MUTATION_PART].tests}/**/*.spec.ts`],
  testEnvironment: '@stryker-mutator/jest-runner/jest-env/node',
  testTimeout: 20_000,
};
