// Simulates a disaster and a restore: a full backup under load, a restore target, and more load. Then the disk of the
// database is lost.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { checkEvents } from '../../bench/kill-orders/checks.mjs';
import { KilledDeployment } from '../../bench/kill-orders/deployment.mjs';
import { OrderLoad } from '../../bench/kill-orders/load.mjs';
import { killWithChildren } from '../../bench/nanopay/kill/processes.mjs';
import { makePayment } from '../../local/first-payment.mjs';
import { ensurePrograms } from '../../local/server-programs.mjs';
import { until } from '../../local/until.mjs';
import { buyOnce } from '../buy-once.mjs';
import { secondsSince } from '../run-drill.mjs';
import { BackupRepository } from './repository.mjs';

const clients = 8;
const loadBeforeMs = 8_000;
const loadAfterMs = 8_000;
const archivedWithinMs = 60_000;
const auditedWithinMs = 60_000;
// The supervisor restarts a killed database with increasing delays.
const restartedWithinMs = 60_000;

/**
 * @param {import('../run-drill.mjs').DrillOptions} options
 * @returns {Promise<object>} the measurements; rejects with the first error
 */
export async function run({ print, signal }) {
  const [program] = await ensurePrograms(['pgbackrest'], print);
  const deployment = await KilledDeployment.start();
  try {
    const repository = await startArchive(deployment, program, print);
    const { load, target, backupS, before } = await loadAndBackUp(deployment, repository, { print, signal });
    await destroy(deployment, print);
    const restore = await restoreTo(deployment, repository, target, print);
    return { backupS, ...restore, ...(await verify(deployment, { load, before, target, print })) };
  } finally {
    await deployment.stop();
  }
}

async function startArchive(deployment, program, print) {
  const { ports, passwords } = deployment.state;
  const repository = new BackupRepository({
    directory: deployment.directory,
    program,
    port: ports.postgres,
    password: passwords.postgres.postgres,
  });
  repository.prepare();
  for (const [name, value] of Object.entries(repository.settings))
    await deployment.query(`ALTER SYSTEM SET ${name} = '${value}'`);
  // Stops the database as if its machine restarted. The supervisor restarts it, and the apps reconnect.
  const before = deployment.pids.postgres;
  process.kill(before, 'SIGINT');
  await deployment.untilReplaced('postgres', before, restartedWithinMs);
  await until('readiness after the restart of PostgreSQL', restartedWithinMs, () => deployment.isReady());
  await repository.run('stanza-create');
  await repository.run('check');
  print('write-ahead log is archived');
  return repository;
}

/** The restore target is in the middle of the load. */
async function loadAndBackUp(deployment, repository, { print, signal }) {
  const load = await OrderLoad.start(deployment, clients);
  try {
    await buyOnce(deployment.gateway);
    const startedMs = performance.now();
    await repository.run('backup', '--type=full');
    const backupS = secondsSince(startedMs);
    print(`full backup under load took ${backupS} s`);
    await sleep(loadBeforeMs, undefined, { signal });
    await buyOnce(deployment.gateway);
    const before = new Set(load.acknowledged);
    const [{ at: target }] = await deployment.query('SELECT clock_timestamp()::text AS at');
    print(`${before.size} orders acknowledged until ${target}, the moment to return to`);
    await buyOnce(deployment.gateway);
    await sleep(loadAfterMs, undefined, { signal });
    await load.untilPaid();
    print(`${load.acknowledged.size} orders acknowledged in all, ${load.paid.size} of them paid`);
    await untilArchived(deployment);
    return { load, target, backupS, before };
  } finally {
    await load.stop();
  }
}

/**
 * A lost machine loses at most the archive_timeout of unarchived data. The drill waits until everything is archived.
 */
async function untilArchived(deployment) {
  const [{ file }] = await deployment.query('SELECT pg_walfile_name(pg_switch_wal()) AS file');
  await untilSo(`archive of ${file}`, archivedWithinMs, async () => {
    const [{ done }] = await deployment.query(
      'SELECT last_archived_wal >= $1 AS done FROM pg_stat_archiver',
      [file],
    );
    return done === true;
  });
}

/**
 * Kills all apps and servers together, deletes the database files, and empties Redis. NATS and the chains keep running.
 */
async function destroy(deployment, print) {
  const { pids } = deployment.state;
  await deployment.killSupervisor();
  killWithChildren(pids.postgres);
  rmSync(join(deployment.directory, 'postgres/data'), { recursive: true });
  for (const [name, pid] of Object.entries(pids)) if (isAppOrRedis(name)) killWithChildren(pid);
  rmSync(join(deployment.directory, 'redis'), { recursive: true });
  print('the database is destroyed, the apps are dead');
}

/** Apps and Redis stop; NATS and the chain nodes keep running. */
const isAppOrRedis = (name) => !['postgres', 'nats'].includes(name) && !name.startsWith('anvil-');

/** Follows the steps of docs/operations/backup.md. */
async function restoreTo(deployment, repository, target, print) {
  const startedMs = performance.now();
  // After the restore, the later events never happened, but consumers have already acknowledged some of them.
  const streams = await deployment.run('tools/streams.mjs', 'delete', '--yes');
  await repository.run('restore', '--type=time', `--target=${target}`, '--target-action=promote');
  const restoreS = secondsSince(startedMs);
  print(`restored in ${restoreS} s; ${streams.trim().split('\n').length} streams deleted`);
  await deployment.restart();
  const servingS = secondsSince(startedMs);
  print(`all apps are ready ${servingS} s after the restore began`);
  return { restoreS, servingS };
}

async function verify(deployment, { load, before, target, print }) {
  const stored = await deployment.query('SELECT id FROM pay_orders.orders');
  const ids = new Set(stored.map(({ id }) => id));
  const missing = [...before].filter((id) => !ids.has(id));
  if (missing.length > 0) throw new Error(`${missing.length} orders from before that moment are missing`);
  const lostPaid = await reconciled(deployment, { load, ids, target });
  print(`reconcile lists exactly the ${lostPaid} payments of lost orders`);
  const isStored = (id) => ids.has(id);
  const restored = {
    ...load,
    acknowledged: new Set([...load.acknowledged].filter(isStored)),
    paid: new Set(),
  };
  const events = await checkEvents(deployment, restored, print);
  await untilAudited(deployment);
  print('the audit of the nano-payment ledger is green');
  await makePayment(deployment.gateway, print);
  await buyOnce(deployment.gateway);
  return {
    ordersBefore: before.size,
    ordersRestored: ids.size,
    ordersLost: load.acknowledged.size - restored.acknowledged.size,
    paymentsListed: lostPaid,
    events: events.events,
  };
}

/** Verifies that every payment on the chain is either settled here or reported as unknown. */
async function reconciled(deployment, { load, ids, target }) {
  const since = new Date(
    Date.parse(target.replace(' ', 'T').replace(/\+00$/, 'Z')) - 3_600_000,
  ).toISOString();
  const lost = [...load.paid].filter((id) => !ids.has(id)).sort();
  await untilSo('settlement of what was paid', archivedWithinMs, async () => {
    const output = await deployment.run('tools/reconcile.mjs', '--since', since, '--all', '--json');
    const found = output
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const unknown = found.filter(({ state }) => state === 'unknown').map(({ orderId }) => orderId);
    if (unknown.sort().join() !== lost.join())
      throw new Error(`reconcile lists ${unknown.length} payments, ${lost.length} orders are lost`);
    if (found.some(({ state }) => state === 'mismatched')) throw new Error('a payment does not match');
    return found.every(({ state }) => state !== 'waiting');
  });
  return lost.length;
}

/** The ledger service verifies its own sums and stops if they differ. */
async function untilAudited(deployment) {
  const startedS = Date.now() / 1_000;
  await untilSo('audit of the nano-payment ledger', auditedWithinMs, async () => {
    const metrics = await (await fetch(`${deployment.state.urls.management.tee}/metrics`)).text();
    const wrong = [...metrics.matchAll(/^tollbridge_ledger_difference\{.*\} (.*)$/gm)].filter(
      ([, value]) => value !== '0',
    );
    if (wrong.length > 0) throw new Error(`the ledger does not balance:\n${wrong.join('\n')}`);
    const at = /^tollbridge_ledger_audited_timestamp_seconds(?:\{.*\})? (.*)$/m.exec(metrics)?.[1];
    return Number(at) > startedS;
  });
}

/** Ignores connection errors while servers restart, but rethrows the errors of a check. */
function untilSo(what, withinMs, isSo) {
  const isAway = /ECONNREFUSED|terminat|fetch failed|starting up|shutting down/i;
  const tried = () =>
    isSo().catch((error) => {
      if (!isAway.test(String(error))) throw error;
      return false;
    });
  return until(what, withinMs, tried, { everyMs: 200 });
}
