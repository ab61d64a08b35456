const Sequencer = require('@jest/test-sequencer').default;

/**
 * Test files of more than 40 seconds, the longest first. A fresh clone has no durations from an earlier run, and one of these
 * that started last would keep the whole run waiting.
 */
const longest = [
  'e2e/merchant.e2e.spec.ts',
  'e2e/routes.e2e.spec.ts',
  'e2e/pages.e2e.spec.ts',
  'e2e/guides.e2e.spec.ts',
  'e2e/specification.e2e.spec.ts',
  'e2e/services.e2e.spec.ts',
  'apps/service-api/src/payouts/sending/payouts-on-chain.int.spec.ts',
  'apps/tx-engine/src/transactions/deliveries.int.spec.ts',
  'apps/pay-orders/src/refunds/refunds.int.spec.ts',
  'apps/pay-orders/src/payments/chain-watcher.int.spec.ts',
  'apps/nanopay/src/chain/money.int.spec.ts',
  'apps/tee/src/lease/ledger-lease.int.spec.ts',
  'apps/merchant/src/webhooks/webhooks.worker.int.spec.ts',
  'libs/platform/bootstrap/src/bounded-stream.int.spec.ts',
  'libs/platform/bootstrap/src/nats-cluster.int.spec.ts',
  'apps/gateway/src/gateway.int.spec.ts',
  'apps/tx-engine/src/transactions/reorganisations.int.spec.ts',
  'apps/tx-engine/src/transactions/build.int.spec.ts',
  'apps/tx-engine/src/quotes/quotes.int.spec.ts',
  'apps/tx-engine/src/transactions/outages.int.spec.ts',
];

/** Runs the files of `longest` first, all others in jest's own order. */
class LongestFirst extends Sequencer {
  /** @param {readonly import('@jest/test-result').Test[]} tests */
  sort(tests) {
    /** @param {{ path: string }} test */
    const rank = ({ path }) => {
      const at = longest.findIndex((file) => path.endsWith(`/${file}`));
      return at === -1 ? longest.length : at;
    };
    return super.sort([...tests]).sort((one, other) => rank(one) - rank(other));
  }
}

module.exports = LongestFirst;
module.exports.longest = longest;
