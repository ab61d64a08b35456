// A merchant's dashboard with 1,000,000 transactions, and the proof of a ledger with 1,000,000 entries.
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { getAddress } from 'ethers';
import { measure } from './measure.mjs';

const require = createRequire(import.meta.url);
const transactions = 1_000_000;

/**
 * Calls use the bus, because the gateway limits clients without a key by address, and the dashboard accepts no key.
 * @param parts `admin`, a superuser of the database; `caller` of bus-caller.mjs
 */
export function dashboardRows({ admin, caller }) {
  const wallet = getAddress(`0x${randomBytes(20).toString('hex')}`);
  let prepared;
  const row = (name, ask) => ({
    name,
    levels: [1, 16],
    run: async (inFlight, seconds) => {
      const merchant = await (prepared ??= prepare({ admin, caller, wallet }));
      return measure(() => ask(merchant), inFlight, seconds);
    },
  });
  return [
    row('overview of 1,000,000 transactions', ({ call }) => call('dashboardApi', 'getOverview')),
    row('list 50 of 1,000,000 transactions', ({ call }) => call('dashboardApi', 'listTransactions')),
    row('list 50 failed ones from the middle of 1,000,000', ({ call, middle }) =>
      call('dashboardApi', 'listTransactions', { cursor: middle, status: 'failed' }),
    ),
    row('prove a ledger of 1,000,000 entries', ({ call }) => call('ledgerApi', 'proveLedger')),
  ];
}

/** Fills the tables. It takes a minute, so it runs only when such a row is selected. */
async function prepare({ admin, caller, wallet }) {
  const api = require('@tollbridge/contracts');
  const { walletPrincipal } = require('@tollbridge/rpc');
  const fill = (file, count) =>
    admin.query(
      readFileSync(new URL(file, import.meta.url), 'utf8')
        .replaceAll('{wallet}', wallet)
        .replaceAll('{transactions}', String(count)),
    );
  await admin.query('SET search_path = merchant');
  // Skips the triggers, because other tests cover them.
  await admin.query('SET session_replication_role = replica');
  await fill('fill-dashboard.sql', transactions);
  await fill('fill-ledger.sql', transactions / 2);
  await admin.query('RESET session_replication_role; RESET search_path');
  await admin.query('VACUUM ANALYZE merchant.dashboard_transactions, merchant.dashboard_sums');
  await admin.query('VACUUM ANALYZE merchant.ledger_transactions, merchant.ledger_entries');
  const { rows } = await admin.query(
    `SELECT id FROM merchant.dashboard_transactions WHERE wallet = $1 ORDER BY created_at DESC OFFSET $2 LIMIT 1`,
    [wallet, transactions / 2],
  );
  const call = (feature, operation, input = {}) =>
    caller.call(api[feature].operations[operation], input, walletPrincipal(wallet));
  const proof = await call('ledgerApi', 'proveLedger');
  if (!proof.ok) throw new Error(`ledger proof of the benchmark failed: ${JSON.stringify(proof.problems)}`);
  return { call, middle: rows[0].id };
}
