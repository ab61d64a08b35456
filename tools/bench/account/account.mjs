// The parts of one request: where it waits, in the gateway, on the bus, in the service and in the database.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Connections } from '../http-load.mjs';
import { localShop } from '../local-shop.mjs';
import { median } from '../measure.mjs';
import { orderRequest } from '../order-rows.mjs';

const times = 200;
const warmUps = 300;

const nowUs = () => Number(process.hrtime.bigint() / 1_000n);

/** The points of a request in order: the process that passes each, and its mark. */
const routes = {
  'create an order': {
    everyMs: 150,
    points: points('createOrder', 'create-order', 'order-insert'),
    request: ({ create }) => create,
  },
  'read an order': {
    everyMs: 50,
    points: points('getOrder', 'get-order', 'orders-by-id'),
    request: ({ read }) => read,
  },
};

function points(operation, subject, statement) {
  return [
    ['gateway', 'request', 'client to gateway'],
    ['gateway', `call ${operation}`, 'gateway: HTTP, key, limits, input'],
    ['pay-orders', `accept ${subject}`, 'signature, bus to the service'],
    ['pay-orders', `statement ${statement}`, 'service: signature, validation, terms'],
    ['pay-orders', `result ${statement}`, 'statement and its commit'],
    ['pay-orders', 'respond', 'service: reply'],
    ['gateway', 'reply pay-orders', 'bus to the gateway'],
    ['gateway', 'response', 'gateway: reply'],
    ['client', 'answered', 'gateway to client'],
  ];
}

/**
 * @param deployment `gateway`; `pids` of apps with `marks.cjs`, which write to `directory`
 * @returns {Promise<{ name: string, parts: { part: string, us: number }[] }[]>} medians in microseconds
 */
export async function accounts({ gateway, pids, directory }) {
  const shop = await localShop(gateway);
  const create = orderRequest(shop);
  const connections = new Connections(gateway, 1, shop.merchant.secret);
  const send = (request) => connections.send(request);
  const { order_id: id } = JSON.parse(await send(create));
  const requests = { create, read: { path: `/api/v1/pay/order/${id}` } };
  const apps = { gateway: pids.gateway, 'pay-orders': pids['pay-orders'] };
  for (let count = 0; count < warmUps; count++) {
    await send(create);
    await send(requests.read);
  }
  const found = [];
  for (const [name, route] of Object.entries(routes)) {
    for (const everyMs of [0, route.everyMs]) {
      await collect(apps, directory);
      const sent = await sendAll(() => send(route.request(requests)), everyMs);
      const marks = { ...(await collect(apps, directory)), client: sent.answered };
      const how = everyMs === 0 ? 'one after the other' : `one every ${everyMs} ms`;
      found.push({ name: `${name}, ${how}`, parts: partsOf(sent.begun, marks, route.points) });
    }
  }
  connections.close();
  return found;
}

async function sendAll(send, everyMs) {
  const [begun, answered] = [[], []];
  for (let count = 0; count < times; count++) {
    begun.push(nowUs());
    await send();
    answered.push(['answered', nowUs()]);
    if (everyMs > 0) await sleep(everyMs);
  }
  return { begun, answered };
}

/** Median of each part over all requests. A request without one of its points is left out. */
function partsOf(begun, marks, points) {
  const rows = begun.map((atUs, index) => {
    const endUs = begun[index + 1] ?? Infinity;
    let lastUs = atUs;
    return points.map(([process, name]) => {
      const found = marks[process].find(([mark, at]) => mark === name && at >= lastUs && at < endUs);
      const us = (found?.[1] ?? NaN) - lastUs;
      lastUs = found?.[1] ?? NaN;
      return us;
    });
  });
  const complete = rows.filter((row) => !row.some(Number.isNaN));
  if (complete.length < times / 2)
    throw new Error(`only ${complete.length} of ${times} requests have all points`);
  const parts = points.map(([, , part], index) => ({ part, us: median(complete.map((row) => row[index])) }));
  const total = median(complete.map((row) => row.reduce((sum, us) => sum + us, 0)));
  return [...parts, { part: 'all', us: total }];
}

async function collect(apps, directory) {
  const files = Object.entries(apps).map(([name, pid]) => [name, pid, join(directory, `${pid}.json`)]);
  for (const [, pid, file] of files) {
    rmSync(file, { force: true });
    process.kill(pid, 'SIGHUP');
  }
  const read = {};
  for (const [name, , file] of files) {
    while (!existsSync(file)) await sleep(20);
    await sleep(50);
    read[name] = JSON.parse(readFileSync(file, 'utf8'));
  }
  return read;
}
