// Measures the processor time of one request by process, and derives the capacity of one core of each process.
import { setTimeout as sleep } from 'node:timers/promises';
import { measureHttp, sendOnce } from './http-load.mjs';
import { sumOf, treeSeconds } from './idle-figures.mjs';
import { localShop } from './local-shop.mjs';
import { orderRequest, paymentRequest } from './order-rows.mjs';

const inFlight = 32;
// Time for consumers to handle the remaining events of the load, which their processor time includes.
const restMs = 5_000;
// A process with less processor time takes no part in the request.
const leastUs = 5;

/**
 * @param {{ gateway: string, pids: Record<string, number> }} deployment
 * @param {number} seconds of each load
 * @returns {Promise<{ name: string, rate: number, costs: Record<string, number> }[]>} microseconds of processor by
 * process
 */
export async function capacities({ gateway, pids }, seconds) {
  const shop = await localShop(gateway);
  const key = shop.merchant.secret;
  const loads = await loadsOf(gateway, shop);
  const found = [];
  for (const [name, request] of loads) {
    // Code is slower when it runs for the first time.
    await measureHttp(gateway, () => request, inFlight, Math.min(seconds, 3), key);
    await sleep(restMs);
    const before = treeSeconds(pids);
    const { rate, failures, firstFailure } = await measureHttp(
      gateway,
      () => request,
      inFlight,
      seconds,
      key,
    );
    if (failures > 0) throw new Error(`${name}: ${failures} failures, the first: ${firstFailure}`);
    await sleep(restMs);
    const after = treeSeconds(pids);
    const costOf = (process) => ((after[process] - before[process]) / (rate * seconds)) * 1e6;
    const costs = Object.fromEntries(Object.keys(pids).map((process) => [process, costOf(process)]));
    found.push({ name, rate, costs });
  }
  return found;
}

async function loadsOf(gateway, shop) {
  const create = orderRequest(shop);
  const { order_id: id } = JSON.parse(await sendOnce(gateway, create, shop.merchant.secret));
  return [
    ['create an order', create],
    ['read an order', { path: `/api/v1/pay/order/${id}` }],
    ['create a payment request', paymentRequest(shop)],
    ['read the dashboard overview', { path: '/api/overview' }],
  ];
}

/** Prints a table for docs/operations/scale.md. */
export function printCapacities(found, print) {
  for (const { name, rate, costs } of found) {
    const total = Math.round(sumOf(costs));
    print(
      `\n${name}: ${Math.round(rate)} a second here, ${total} µs of processor each, all processes together\n`,
    );
    print('| process | µs a request | one core carries |');
    print('| --- | ---: | ---: |');
    for (const [process, us] of Object.entries(costs).sort(([, a], [, b]) => b - a))
      if (us >= leastUs) print(`| ${process} | ${us.toFixed(0)} | ${Math.round(1e6 / us)}/s |`);
  }
}
