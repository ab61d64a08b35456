// Event streams of one gateway process: resident memory of open streams, and the time of a change to all of them.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { randomBytes } from 'node:crypto';
import { freePort } from '../../local/ports.mjs';
import { runSandbox } from '../../local/run-sandbox.mjs';
import { sendOnce } from '../http-load.mjs';
import { residentMb } from '../idle-figures.mjs';
import { orderRequest } from '../order-rows.mjs';
import { nowMicros } from '../stream-clock.mjs';
import { garbageCollector } from './garbage-collector.mjs';

const createdAtOnce = 32;
// Opened and closed before the measurement, because code that runs for the first time and growing tables use memory
// once.
const warmUpStreams = 500;
// Memory is returned to the system some seconds after a collection, so the lowest of several measurements counts.
const [collections, restMs] = [5, 3_000];
const arrivesWithinMs = 30_000;

/**
 * @param {{ directory: string, streams: number, changes: number, print: (line: string) => void }} options `streams` is
 * the number of streams to open, each of a different order; `changes` is the number of changes to measure
 * @returns {Promise<{ streams: number, beforeMb: number, peakMb: number, openMb: number, kbPerStream: number, fanOut:
 * { streams: number, firstMs: number, medianMs: number, lastMs: number }[] }>}
 */
export async function measureEvents({ directory, streams, changes, print }) {
  const inspectPort = await freePort();
  const environment = {
    NODE_OPTIONS: `--inspect-port=${inspectPort}`,
    GATEWAY_MAX_EVENT_STREAMS: String(streams),
    GATEWAY_MAX_EVENT_STREAMS_PER_ADDRESS: String(streams),
    GATEWAY_MAX_CONNECTIONS_PER_ADDRESS: '0',
  };
  const { state, stop } = await runSandbox({ directory, environment });
  const child = fork(join(import.meta.dirname, 'clients.mjs'));
  try {
    const bench = await prepare(state, asker(child));
    const collector = await garbageCollector(state.pids.gateway, inspectPort);
    const memory = await measureMemory({ ...bench, collector }, streams, print);
    collector.close();
    const fanOut = [];
    for (const count of [...new Set([1, 100, 1_000, streams].filter((each) => each <= streams))])
      fanOut.push(await measureFanOut(bench, count, changes, print));
    return { streams, ...memory, fanOut };
  } finally {
    child.kill();
    await stop();
  }
}

async function prepare({ gateway, pids }, ask) {
  const local = JSON.parse(await sendOnce(gateway, { path: '/sandbox' }));
  const key = local.merchant.secret;
  const address = (role) => local.accounts.find((account) => account.role === role).address;
  const create = orderRequest({ caip2: local.chains[0].caip2, merchant: local.merchant, address });
  const createOrder = async () => JSON.parse(await sendOnce(gateway, create, key)).order_id;
  const open = (ids) =>
    ask({ command: 'open', origin: gateway, key, paths: ids.map((id) => `/api/v1/pay/order/${id}/events`) });
  const close = () => ask({ command: 'close' });
  const memory = () => residentMb({ gateway: pids.gateway }).gateway;
  return { gateway, key, ask, createOrder, open, close, memory };
}

async function measureMemory({ createOrder, open, close, memory, collector }, streams, print) {
  print(`creating ${streams} orders …`);
  const ids = await createOrders(createOrder, streams);
  await open(ids.slice(0, warmUpStreams));
  await close();
  const beforeMb = await lowest(memory, collector);
  print(`opening ${streams} streams …`);
  await open(ids);
  const peakMb = memory();
  const openMb = await lowest(memory, collector);
  await close();
  return { beforeMb, peakMb, openMb, kbPerStream: ((openMb - beforeMb) * 1_024) / streams };
}

/** Returns the resident memory without garbage, in MB. */
async function lowest(memory, collector) {
  let least = Infinity;
  for (let done = 0; done < collections; done++) {
    await collector.collect();
    await sleep(restMs);
    least = Math.min(least, memory());
  }
  return least;
}

async function createOrders(createOrder, count) {
  const ids = [];
  const worker = async () => {
    while (ids.length < count) ids.push(await createOrder());
  };
  await Promise.all(Array.from({ length: createdAtOnce }, worker));
  return ids.slice(0, count);
}

/** Measures the time from the request that changes an order to the messages of the change. */
async function measureFanOut({ gateway, key, ask, createOrder, open, close }, streams, changes, print) {
  print(`${changes} changes to ${streams} streams …`);
  const times = [];
  for (let done = 0; done < changes; done++) {
    const id = await createOrder();
    await open(Array.from({ length: streams }, () => id));
    await ask({ command: 'begin' });
    const body = JSON.stringify({ tx_hash: `0x${randomBytes(32).toString('hex')}` });
    const sentMicros = nowMicros();
    await sendOnce(gateway, { method: 'POST', path: `/api/v1/pay/order/${id}/tx`, body }, key);
    const { first, median, last } = await ask({
      command: 'end',
      expected: streams,
      withinMs: arrivesWithinMs,
    });
    times.push([first, median, last].map((micros) => (micros - sentMicros) / 1_000));
    await close();
  }
  const medianOf = (at) => times.map((each) => each[at]).toSorted((a, b) => a - b)[times.length >> 1];
  return { streams, firstMs: medianOf(0), medianMs: medianOf(1), lastMs: medianOf(2) };
}

/** Sends commands to the clients one at a time. */
function asker(child) {
  return async (message) => {
    child.send(message);
    const [{ failed, result }] = await once(child, 'message');
    if (failed) throw new Error(`the clients: ${failed}`);
    return result;
  };
}
