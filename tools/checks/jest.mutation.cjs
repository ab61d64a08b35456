// The unit tests as stryker.config.mjs runs them: one project, in the environment that counts which test covers what.
const { projects } = require('../../jest.config.cjs');

module.exports = {
  ...projects.find(({ displayName }) => displayName === 'unit'),
  displayName: undefined,
  testEnvironment: '@stryker-mutator/jest-runner/jest-env/node',
  testTimeout: 20_000,
};
