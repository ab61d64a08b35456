// Measures the processor time of one request by process, and derives the capacity of one core of each process.
import { setTimeout as sleep } from 'node:timers/promises';
import { measureHttp, sendOnce } from './http-load.mjs';
import { sumOf, treeSeconds } from './idle-figures.mjs';
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
  const sandbox = JSON.parse(await sendOnce(gateway, { path: '/sandbox' }));
  const key = sandbox.merchant.secret;
  const loads = await loadsOf(gateway, sandbox);
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

async function loadsOf(gateway, { merchant, chains: [{ caip2 }], accounts }) {
  const address = (role) => accounts.find((account) => account.role === role).address;
  const create = orderRequest({ caip2, merchant, address });
  const { order_id: id } = JSON.parse(await sendOnce(gateway, create, merchant.secret));
  return [
    ['create an order', create],
    ['read an order', { path: `/api/v1/pay/order/${id}` }],
    ['create a payment request', paymentRequest({ caip2 })],
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
