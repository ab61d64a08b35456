// Processor time of one request by process, and what one core of each process therefore carries.
import { setTimeout as sleep } from 'node:timers/promises';
import { measureHttp, sendOnce } from './http-load.mjs';
import { sumOf, treeSeconds } from './idle-figures.mjs';

const inFlight = 32;
// Consumers handle what the load left behind; their time belongs to it.
const restMs = 5_000;
// A process below this takes no part in the request.
const leastUs = 5;

/**
 * @param {{ gateway: string, pids: Record<string, number> }} deployment
 * @param {number} seconds of each load
 * @returns {Promise<{ name: string, rate: number, costs: Record<string, number> }[]>} microseconds of processor by process
 */
export async function capacities({ gateway, pids }, seconds) {
  const sandbox = JSON.parse(await sendOnce(gateway, { path: '/sandbox' }));
  const key = sandbox.merchant.secret;
  const loads = await loadsOf(gateway, sandbox);
  const found = [];
  for (const [name, request] of loads) {
    // Code that runs for the first time is slower.
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

async function loadsOf(gateway, { merchant, chains: [chain], accounts }) {
  const key = merchant.secret;
  const address = (role) => accounts.find((account) => account.role === role).address;
  const terms = { pay_blockchain: chain.caip2, pay_token: 'USDC', settle_chain: chain.caip2 };
  const order = {
    ...terms,
    settle_token: 'USDC',
    merchant_amount: '1000000',
    fee_amount: '5000',
    merchant_address: merchant.wallet,
    fee_receiver: address('fee_receiver'),
    payer_address: address('payer'),
    merchant_id: merchant.merchantId,
  };
  const create = { method: 'POST', path: '/api/v1/pay/create-order', body: JSON.stringify(order) };
  const { order_id: id } = JSON.parse(await sendOnce(gateway, create, key));
  const request = { amount: '1000000', currency: 'USDC', chain: chain.caip2, description: 'Two espressos' };
  return [
    ['create an order', create],
    ['read an order', { path: `/api/v1/pay/order/${id}` }],
    [
      'create a payment request',
      { method: 'POST', path: '/api/v1/merchant/payment-requests', body: JSON.stringify(request) },
    ],
    ['read the dashboard overview', { path: '/api/overview' }],
  ];
}

/** A table for docs/operations/scale.md. */
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
