// Cost of 500 calls that wait for a code: memory of their process, and latency of other calls.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { measure } from './measure.mjs';

const require = createRequire(import.meta.url);
const { smsApi } = require('@tollbridge/contracts');
const { keyPrincipal } = require('@tollbridge/rpc');

const waits = 500;
// One merchant may have 200 waiting calls.
const merchants = 4;
const beginAtOnce = 25;
// Time until all calls have rented their numbers on a slow machine, in addition to the measurement.
const beginSeconds = 30;
const mostGrowthMb = 200;

/**
 * @param deployment pids of the apps
 * @param parts `admin`, a superuser of the database; `caller` of bus-caller.mjs
 */
export function waitingRows(deployment, { admin, caller }) {
  let keyId;
  // A spend is counted for its key, so the key must exist. Each owner may have some of the waiting calls.
  const ask = async (operation, input, merchant) => {
    keyId ??= admin.query('SELECT id FROM merchant.api_keys LIMIT 1').then(({ rows }) => rows[0].id);
    const principal = keyPrincipal(await keyId, `bench-waiting-${merchant}`);
    return caller.call(smsApi.operations[operation], input, principal);
  };
  const number = { service: 'x1', country: 44 };
  let rented;
  const read = async (inFlight, seconds) => {
    rented ??= await ask('rentNumber', number, 0);
    return measure(() => ask('codeStatus', { id: rented.id }, 0), inFlight, seconds);
  };
  const readBeside = async (inFlight, seconds) => {
    const before = residentMb(deployment.pids['service-api']);
    const wish = { ...number, timeout: beginSeconds + Math.ceil(seconds) };
    const waiting = await beginWaiting(wish, { ask, admin });
    const result = await read(inFlight, seconds);
    const grown = Math.round(residentMb(deployment.pids['service-api']) - before);
    process.stderr.write(`${waits} calls wait: service-api grew by ${grown} MB\n`);
    if (grown > mostGrowthMb) throw new Error(`${waits} waiting calls took ${grown} MB`);
    // Calls of this measurement must not affect the next one.
    for (const ended of await Promise.all(waiting))
      if (ended.timeout !== true) throw new Error('a waiting call ended early');
    return result;
  };
  const name = 'sms status';
  return [
    { name, levels: [16], run: read },
    { name: `${name}, ${waits} calls wait`, of: name, levels: [16], run: readBeside },
  ];
}

async function beginWaiting(wish, { ask, admin }) {
  const since = (await admin.query('SELECT clock_timestamp() AS now')).rows[0].now;
  const waiting = [];
  for (let at = 0; at < waits; at++) {
    waiting.push(ask('awaitCode', wish, at % merchants));
    if (waiting.length % beginAtOnce === 0) await untilRented(admin, since, waiting);
  }
  return waiting;
}

async function untilRented(admin, since, waiting) {
  const isThere = async () => {
    const { rows } = await admin.query(
      `SELECT count(*)::int AS count FROM service_api.purchases
       WHERE kind = 'sms-number-and-wait' AND status = 'pending' AND created_at >= $1`,
      [since],
    );
    return rows[0].count >= waiting.length;
  };
  while (!(await isThere())) {
    const ended = Promise.race(waiting).then(() =>
      Promise.reject(new Error('a call ended before all waited')),
    );
    // Awaited only in the race, because all of them end later.
    ended.catch(() => undefined);
    await Promise.race([new Promise((resolve) => setTimeout(resolve, 50)), ended]);
  }
}

const residentMb = (pid) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
