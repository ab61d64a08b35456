// The unit tests as stryker.config.mjs runs them: one project, in the environment that counts which test covers what.
const { projects } = require('../../jest.config.cjs');

module.exports = {
  ...projects.find(({ displayName }) => displayName === 'unit'),
  displayName: undefined,
  // The tests beside the mutated code. Constants are evaluated when a file is loaded, so such a mutant needs all tests: with
  // those of every importer, a run takes hours.
  testMatch: [
    '<rootDir>/libs/domain/money/src/**/*.spec.ts',
    '<rootDir>/apps/pay-orders/src/{orders,payments}/**/*.spec.ts',
    '<rootDir>/apps/tx-engine/src/transactions/**/*.spec.ts',
    '<rootDir>/apps/tee/src/ledger/**/*.spec.ts',
    '<rootDir>/apps/merchant/src/{budgets,ledger}/**/*.spec.ts',
  ],
  testEnvironment: '@stryker-mutator/jest-runner/jest-env/node',
  testTimeout: 20_000,
};
