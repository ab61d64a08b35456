/**
 * The pure money code that `npm run mutation` mutates, with its unit tests. Each part is a separate run. A mutated
 * constant is evaluated when its file is loaded, so such a mutant needs all tests of its run.
 * @type {Readonly<Record<string, { mutate: string, tests: string }>>}
 */
module.exports = {
  amounts: {
    mutate: 'libs/domain/money/src/{amount,conversion,currency,decimal,rate,rounding,units}.ts',
    tests: 'libs/domain/money/src',
  },
  orders: { mutate: 'apps/pay-orders/src/orders/order.ts', tests: 'apps/pay-orders/src/orders' },
  payments: { mutate: 'apps/pay-orders/src/payments/payment.ts', tests: 'apps/pay-orders/src/payments' },
  swaps: {
    mutate: 'apps/tx-engine/src/transactions/{transaction-set,gas-fees}.ts',
    tests: 'apps/tx-engine/src/transactions',
  },
  'nano-payments': {
    mutate:
      'apps/tee/src/ledger/{ledger,ledger-changes,rules/account,rules/approvals,rules/charge-rules,rules/payment-rates}.ts',
    tests: 'apps/tee/src/ledger',
  },
  budgets: {
    mutate: 'apps/merchant/src/budgets/{budget,spend,spend-outcome}.ts',
    tests: 'apps/merchant/src/budgets',
  },
  ledger: {
    mutate: 'apps/merchant/src/ledger/{ledger-chain,ledger-position,ledger-proof}.ts',
    tests: 'apps/merchant/src/ledger',
  },
};
