// Transactions of the database for one order, from its creation to the books of the merchant.
import { setTimeout as sleep } from 'node:timers/promises';
import { sendOnce } from './http-load.mjs';
import { orderRequest } from './order-rows.mjs';

const orders = 40;
const everyMs = 250;
// For two minutes after the deployment of contracts, local chains mine a block per second, which the apps read.
const quietAfterMs = 150_000;
// A connection reports its transactions within ten seconds.
const reportedMs = 11_000;

/** @param parts `gateway`; `admin`, a client of the superuser @returns {import('./run.mjs').Figure[]} */
export function orderFigures({ gateway, admin }) {
  return [
    {
      name: 'commits of an order, one every 250 ms',
      unit: '',
      measure: async () => {
        const sandbox = JSON.parse(await sendOnce(gateway, { path: '/sandbox' }));
        const request = requestOf(sandbox);
        const create = () => sendOnce(gateway, request, sandbox.merchant.secret);
        // With an open order, the chains are watched in all measurements.
        await create();
        await sleep(Math.max(reportedMs, quietAfterMs - performance.now()));
        const background = () => commitsDuring(admin, () => sleep(orders * everyMs));
        // The background changes slowly, so its mean before and after counts.
        const before = await background();
        const all = await commitsDuring(admin, () => createAll(create));
        return (all - (before + (await background())) / 2) / orders;
      },
    },
  ];
}

function requestOf({ chains: [{ caip2 }], merchant, accounts }) {
  const address = (role) => accounts.find((account) => account.role === role).address;
  return orderRequest({ caip2, merchant, address });
}

async function createAll(create) {
  for (let count = 0; count < orders; count++) {
    const startedMs = performance.now();
    await create();
    await sleep(Math.max(0, startedMs + everyMs - performance.now()));
  }
}

async function commitsDuring(admin, work) {
  const before = await commits(admin);
  await work();
  await sleep(reportedMs);
  return (await commits(admin)) - before;
}

/** @returns {Promise<number>} transactions of all apps until now, without those of the bench itself */
async function commits(admin) {
  const { rows } = await admin.query(
    'SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()',
  );
  return Number(rows[0].xact_commit);
}
