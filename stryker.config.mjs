// Mutation tests of the pure money code: `npm run mutation`. They change the code in small ways, one at a time, and run the
// unit tests that import it: a change that no test notices "survives". The score must stay at 90 % or more.
export default {
  testRunner: 'jest',
  plugins: ['@stryker-mutator/jest-runner'],
  jest: { configFile: 'tools/checks/jest.mutation.cjs', enableFindRelatedTests: true },
  coverageAnalysis: 'perTest',
  mutate: [
    'libs/domain/money/src/{amount,decimal,rate,rounding,units}.ts',
    'apps/pay-orders/src/orders/order.ts',
    'apps/pay-orders/src/payments/payment.ts',
    'apps/tx-engine/src/transactions/transaction-set.ts',
    'apps/tx-engine/src/transactions/gas-fees.ts',
    'apps/tee/src/ledger/{account,approvals,charge-rules,ledger,ledger-changes,payment-rates}.ts',
    'apps/merchant/src/budgets/{budget,spend,spend-outcome}.ts',
    'apps/merchant/src/ledger/{ledger-chain,ledger-position,ledger-proof}.ts',
  ],
  // Texts of errors are compared where clients read them, by the tests of the routes.
  mutator: { excludedMutations: ['StringLiteral'] },
  ignorePatterns: ['/.tollbridge', '**/dist', 'libs/onchain/.forge'],
  tempDirName: '.stryker',
  reporters: ['clear-text', 'progress-append-only', 'json'],
  jsonReporter: { fileName: 'coverage/mutation.json' },
  clearTextReporter: { allowColor: false, logTests: false, allowEmojis: false },
  thresholds: { high: 95, low: 90, break: 90 },
  timeoutMS: 20_000,
  concurrency: 2,
};
