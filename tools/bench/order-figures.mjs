// Transactions of the database for one order, from its creation to the books of the merchant.
import { setTimeout as sleep } from 'node:timers/promises';
import { measurePacedHttp, sendOnce } from './http-load.mjs';
import { localShop } from './local-shop.mjs';
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
        const shop = await localShop(gateway);
        const key = shop.merchant.secret;
        const request = orderRequest(shop);
        // With an open order, the chains are watched in all measurements.
        await sendOnce(gateway, request, key);
        await sleep(Math.max(reportedMs, quietAfterMs - performance.now()));
        const seconds = (orders * everyMs) / 1_000;
        const create = () => measurePacedHttp(gateway, () => request, everyMs, seconds, key);
        const background = () => commitsDuring(admin, () => sleep(seconds * 1_000));
        // The background changes slowly, so its mean before and after counts.
        const before = await background();
        const all = await commitsDuring(admin, create);
        return (all - (before + (await background())) / 2) / orders;
      },
    },
  ];
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
