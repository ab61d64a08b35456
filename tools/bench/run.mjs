// Measures Tollbridge's routes and the limits of the same machine in one run, in turns. Then measures the sustained
// forms.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { connect } from 'nats';
import pg from 'pg';
import { backlogReader } from './backlog.mjs';
import { openBusCaller } from './bus-caller.mjs';
import { catalogRows } from './catalog-rows.mjs';
import { consumerRows } from './consumer-rows.mjs';
import { dashboardRows } from './dashboard-rows.mjs';
import { measureHttp, sendOnce } from './http-load.mjs';
import { idleFigures, residentMb } from './idle-figures.mjs';
import { keyRows } from './key-rows.mjs';
import { listRows } from './list-rows.mjs';
import { localShop } from './local-shop.mjs';
import { measure, median } from './measure.mjs';
import { connectOptions, eventOptions } from './nats-options.mjs';
import { orderFigures } from './order-figures.mjs';
import { orderRows } from './order-rows.mjs';
import { payerRows } from './payer-rows.mjs';
import { streamRows } from './stream-rows.mjs';
import { isSustained, sustain } from './sustained.mjs';
import { settleRows } from './settle-rows.mjs';
import { setCopier, swapCalls, swapRows } from './swap-rows.mjs';
import { evaluateAll } from './targets.mjs';
import { waitingRows } from './waiting-rows.mjs';
import { webhookRows } from './webhook-rows.mjs';

const levels = [1, 16, 64];
// Time for the remaining work of a load, and for garbage collection.
const restMs = 10_000;

/**
 * @typedef {object} Row
 * @property {string} name
 * @property {(inFlight: number, seconds: number) => Promise<object>} run measures once, and returns the result of
 * `measure`
 * @property {string | string[]} [of] names of the rows that it is compared with; the first is for its target
 * @property {string} [peer] name of the peer's row
 * @property {'rate' | 'p99'} [compared] default `rate`
 * @property {number[]} [levels] calls in flight
 * @property {string} [table] size of its table, for the output
 * @property {{ isDefault?: boolean, inFlight?: number, limit?: string[] }} [sustained] for a row that writes
 * @property {() => Promise<unknown>} [afterRun] cleans up after a measurement
 */

/**
 * @typedef {object} Figure a number that is measured once before the loads
 * @property {string} name
 * @property {string} unit
 * @property {() => Promise<number>} measure
 */

/**
 * @param deployment gateway, streamUrl, natsUrl (the operator), redisUrl, databaseUrl (superuser), pids by name;
 * natsPasswords by user; identitySecrets by app, and identitiesFile with their public keys
 * @param options rounds; seconds per measurement; orders, number of orders in the table; sustained (`default`, `all` or
 * `none`) and sustainedSeconds; `only`, a part of the selected row names
 */
export async function runBench(deployment, options, progress) {
  const children = [];
  const endings = [];
  const spawn = async (file, args, options = {}) => {
    const path = fileURLToPath(new URL(file, import.meta.url));
    const child = fork(path, args, { ...options, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    children.push(child);
    const [message] = await once(child, 'message');
    return { child, ...message };
  };
  const admin = new pg.Client({ connectionString: deployment.databaseUrl });
  await admin.connect();
  const nats = await connect(eventOptions(deployment, 'operator'));
  try {
    const measured = { sockets: null };
    const parts = { spawn, nats, admin, options, measured, atEnd: (close) => endings.push(close) };
    const wanted = [...idleFigures(deployment), ...orderFigures({ gateway: deployment.gateway, admin })];
    const figures = await measureFigures(wanted, options, progress);
    const idleMemory = residentMb(deployment.pids);
    const rows = selected(await prepareRows(deployment, parts), options.only);
    const taken = await takeTurns(rows, options, progress);
    const sustained = await takeSustained(rows, { ...options, admin, nats }, progress);
    await new Promise((resolve) => setTimeout(resolve, restMs));
    const memory = memoryTable(idleMemory, residentMb(deployment.pids));
    const result = { date: new Date().toISOString(), ...options, rows: table(taken), figures, sustained };
    Object.assign(result, measured, { memory });
    return { ...result, targets: evaluateAll(result) };
  } finally {
    for (const close of endings) await close();
    await admin.end();
    await nats.close();
    for (const child of children) child.kill();
  }
}

/** Returns the rows with that name, and the limits that they are compared with. */
function selected(rows, only) {
  const wanted = rows.filter(({ name }) => name.includes(only));
  if (wanted.length === 0) throw new Error(`no row has ${only} in its name`);
  const limits = new Set(wanted.flatMap((row) => limitsOf(row)));
  return rows.filter((row) => wanted.includes(row) || limits.has(row.name));
}

const limitsOf = ({ of = [], peer, sustained }) => [...[of, peer ?? []].flat(), ...(sustained?.limit ?? [])];

/** @returns {Promise<Row[]>} */
async function prepareRows(deployment, { spawn, nats, admin, options, measured, atEnd }) {
  const { gateway } = deployment;
  const caller = await openBusCaller(deployment);
  atEnd(() => caller.close());
  const [bus, publisher] = await Promise.all([
    connect(connectOptions(deployment.natsUrl)),
    connect(eventOptions(deployment, 'tx-engine')),
  ]);
  for (const connection of [bus, publisher]) atEnd(() => connection.close());
  const local = await localShop(gateway);
  // The demo key has no rate limit.
  const key = local.merchant.secret;
  const measureRoute = (origin, next, inFlight, seconds) => measureHttp(origin, next, inFlight, seconds, key);
  const send = (origin, request) => sendOnce(origin, request, key);
  const calls = swapCalls(gateway, local.sandbox, key);
  const copySets = setCopier(admin, calls.buildSet);
  return [
    ...(await orderRows(deployment, { spawn, nats: bus, admin, local, orders: options.orders })),
    ...listRows(gateway, { admin, measureHttp: measureRoute, send }),
    ...keyRows(key, caller).map(({ check, ...row }) => ({ ...row, run: (n, s) => measure(check, n, s) })),
    ...(await payerRows(gateway, local.address('payer'), { measureHttp: measureRoute, send: sendOnce })),
    ...swapRows(gateway, { calls, copySets, key }),
    ...settleRows(gateway, { nats, sandbox: local.sandbox, key }),
    ...(await webhookRows(deployment, { spawn, admin })),
    ...dashboardRows({ admin, caller }),
    ...catalogRows(gateway, { admin, measureHttp: measureRoute, send }),
    ...waitingRows(deployment, { admin, caller }),
    ...streamRows(deployment, {
      spawn,
      nats: publisher,
      copySets,
      report: (sockets) => (measured.sockets = sockets),
      memory: () => residentMb({ stream: deployment.pids.stream }).stream,
    }),
    ...consumerRows(deployment, { nats, admin }),
  ];
}

async function measureFigures(figures, { only }, progress) {
  const measured = [];
  for (const { name, unit, measure } of figures.filter(({ name }) => name.includes(only))) {
    progress('before the load', name, 0);
    measured.push({ name, unit, value: await measure() });
  }
  return measured;
}

/**
 * Measures in the order A B C A B C …. The speed of the machine changes over time, and this affects all rows equally.
 */
async function takeTurns(rows, { rounds, seconds }, progress) {
  const taken = rows.map((row) => ({
    ...row,
    samples: Object.fromEntries(levelsOf(row).map((level) => [level, []])),
  }));
  // The first round is a warm-up.
  for (let round = 0; rounds > 0 && round <= rounds; round++) {
    for (const level of levels) {
      for (const row of taken.filter((each) => levelsOf(each).includes(level))) {
        progress(round === 0 ? 'warm-up' : `round ${round} of ${rounds}`, row.name, level);
        const sample = await row.run(level, round === 0 ? Math.min(1, seconds) : seconds);
        await row.afterRun?.();
        if (sample.failures > 0)
          throw new Error(
            `${row.name}: ${sample.failures} calls failed, the first with ${sample.firstFailure}`,
          );
        if (round > 0) row.samples[level].push(sample);
      }
    }
  }
  return rounds > 0 ? taken : [];
}

const levelsOf = (row) => row.levels ?? levels;

/** Measures the sustained rows sequentially, each with its limits before and after it. */
async function takeSustained(rows, { sustained, sustainedSeconds, admin, nats }, progress) {
  const wanted = rows.filter((row) => isSustained(row, sustained));
  if (wanted.length === 0) return [];
  const readBacklog = await backlogReader(admin, nats);
  const taken = [];
  for (const row of wanted) {
    progress(`sustained for ${sustainedSeconds} s`, row.name, row.sustained.inFlight ?? 64);
    const names = row.sustained.limit ?? [row.of ?? []].flat();
    const limits = rows.filter(({ name }) => names.includes(name));
    taken.push(await sustain(row, limits, { seconds: sustainedSeconds, admin, readBacklog }));
  }
  return taken;
}

function table(rows) {
  return rows.flatMap((row) =>
    levelsOf(row).map((level) => {
      const own = row.samples[level];
      const figure = (key) => median(own.map((sample) => sample[key]));
      const ratios = [row.of ?? []].flat().map((name) => {
        const limit = rows.find((each) => each.name === name).samples[level];
        const compared = row.compared ?? 'rate';
        // Paired by round, so that a slow moment counts for both rows.
        return {
          of: name,
          ratio: median(own.map((sample, round) => sample[compared] / limit[round][compared])),
        };
      });
      return {
        row: row.name,
        inFlight: level,
        rate: figure('rate'),
        p50: figure('p50'),
        p99: figure('p99'),
        table: row.table ?? null,
        ratio: ratios[0]?.ratio ?? null,
        peerRatio:
          row.peer === undefined
            ? null
            : peerRatio(own, rows.find(({ name }) => name === row.peer).samples[level], level),
        ratios,
      };
    }),
  );
}

/**
 * How many times as fast as the peer, the median of the rounds: the time of one call at a time, the rate of several.
 */
const peerRatio = (own, peer, level) =>
  median(own.map(({ rate, p50 }, round) => (level === 1 ? peer[round].p50 / p50 : rate / peer[round].rate)));

function memoryTable(idle, loaded) {
  return Object.keys(idle).map((name) => ({
    process: name,
    idleMb: Math.round(idle[name]),
    afterMb: Math.round(loaded[name]),
  }));
}
