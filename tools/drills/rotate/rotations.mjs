// The rotations of docs/operations/rotate.md, performed on a running deployment.
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { appEnvironment } from '../../local/apps.mjs';
import { repository } from '../../local/directory.mjs';
import { writeIdentities } from '../../local/identities.mjs';
import { postgresUrl } from '../../local/postgres.mjs';
import { redisUrl } from '../../local/redis.mjs';
import { until } from '../../local/until.mjs';

const newSecret = () => `p${randomBytes(24).toString('hex')}`;
const rehashedWithinMs = 90_000;
const namedWithinMs = 75_000;

/** @typedef {import('./deployment.mjs').RotatedDeployment} Deployment */

/**
 * Each function replaces one secret, and rejects if it was not replaced.
 * @type {[string, (deployment: Deployment) => Promise<void>][]}
 */
export const rotations = [
  ['MERCHANT_KEY_PEPPER', rotatePepper],
  [
    'SERVICE_API_REPLY_SECRET',
    (deployment) => inThreeSteps(deployment, 'service-api', 'SERVICE_API_REPLY_SECRET'),
  ],
  ['PAY_ORDERS_IDENTITY_SECRET', rotateIdentity],
  ['TEE_KEY_FILE', rotateReceiptKey],
  ['PAY_ORDERS_DATABASE_URL', (deployment) => rotateRole(deployment, 'pay-orders', 'pay_orders')],
  ['MERCHANT_DATABASE_URL', (deployment) => rotateRole(deployment, 'merchant', 'merchant')],
  ['GATEWAY_REDIS_URL', rotateRedis],
  ['RELOADLY_WEBHOOK_SECRET', rotateWebhookSecret],
];

/** Sets `old,new`, then `new,old`, then `new`, each in a file and with a rolling restart. */
async function inThreeSteps(deployment, app, name, beforeLast = async () => {}) {
  const former = appEnvironment(deployment.setup, [app])[name] ?? newSecret();
  const next = newSecret();
  for (const [step, values] of [[former, next], [next, former], [next]].entries()) {
    if (step === 2) await beforeLast();
    const file = deployment.setup.directory.file(`${name.toLowerCase()}-${step}`);
    writeFileSync(file, `${values.join(',')}\n`, { mode: 0o600 });
    await deployment.roll(app, { [name]: '', [`${name}_FILE`]: file });
  }
}

async function rotatePepper(deployment) {
  const isRehashed = async () => (await formerKeys(deployment)) === 0;
  await inThreeSteps(deployment, 'merchant', 'MERCHANT_KEY_PEPPER', () =>
    until('new hash of every key', rehashedWithinMs, isRehashed, { everyMs: 500 }),
  );
}

async function formerKeys({ database }) {
  const newest = 'SELECT pepper_id FROM merchant.api_keys ORDER BY updated_at DESC LIMIT 1';
  const { rows } = await database.query(
    `SELECT count(*)::int AS count FROM merchant.api_keys WHERE deleted_at IS NULL AND pepper_id IS DISTINCT FROM (${newest})`,
  );
  return rows[0].count;
}

/** Rotates in four steps. After each step, the apps that call pay-orders or are called by it restart. */
async function rotateIdentity(deployment) {
  const { passwords, directory } = deployment.setup;
  const file = directory.file('identities.json');
  const [former, next] = [passwords.identities['pay-orders'], newSecret()];
  const list = (...secrets) =>
    writeIdentities(file, { ...passwords.identities, 'pay-orders': secrets.join(',') });
  const rollAll = async () => {
    for (const app of ['gateway', 'merchant', 'pay-orders']) await deployment.roll(app);
  };
  list(former, next);
  await rollAll();
  await deployment.roll('pay-orders', { PAY_ORDERS_IDENTITY_SECRET: `${next},${former}` });
  list(next, former);
  await rollAll();
  list(next);
  deployment.changes['pay-orders'].PAY_ORDERS_IDENTITY_SECRET = next;
  await rollAll();
}

async function rotateReceiptKey(deployment) {
  const seed = randomBytes(32).toString('hex');
  const file = deployment.setup.directory.file('tee-next.key');
  writeFileSync(file, `${seed}\n`, { mode: 0o600 });
  const { signingKey } = createRequire(import.meta.url)('@tollbridge/nanopay-protocol');
  const key = signingKey(Buffer.from(seed, 'hex')).publicKey.toString('hex');
  const attestation = async () => (await fetch(`${deployment.gateway}/attestation`)).json();
  const { teePublicKey: former } = await attestation();
  await deployment.roll('nanopay', { NANOPAY_RECEIPT_KEYS: `${key},${former}` });
  await deployment.roll('tee', { TEE_KEY_FILE: file, TEE_KEY_EPOCH: '2' });
  await untilNamed(attestation, key);
  const { receiptKeys } = await (await fetch(`${deployment.gateway}/supported`)).json();
  if (String(receiptKeys) !== `${key},${former}`)
    throw new Error('GET /supported does not publish both keys');
}

/** A standby takes over within five seconds. An attestation document can be cached for one minute. */
async function untilNamed(attestation, key) {
  const isNamed = async () => {
    const { teePublicKey, keyEpoch } = await attestation();
    return teePublicKey === key && keyEpoch === 2;
  };
  await until('new key in GET /attestation', namedWithinMs, isNamed, { everyMs: 500 });
}

async function rotateRole(deployment, app, role) {
  const { programs, passwords, ports } = deployment.setup;
  const password = newSecret();
  const target = ['-h', '127.0.0.1', '-p', String(ports.postgres), '-U', 'postgres', '-d', 'postgres'];
  const script = join(repository, 'deploy/postgres/next-role.sql');
  execFileSync(programs.postgres.psql, ['-X', '-v', 'ON_ERROR_STOP=1', ...target, '-f', script], {
    env: {
      ...process.env,
      PGPASSWORD: passwords.postgres.postgres,
      ROLE: role,
      NEXT_ROLE_PASSWORD: password,
    },
  });
  const url = postgresUrl(`${role}_next`, password, ports.postgres, 'tollbridge');
  await deployment.roll(app, { [`${role.toUpperCase()}_DATABASE_URL`]: url });
  await deployment.query(`ALTER ROLE ${role} PASSWORD '${newSecret()}'`);
  const sessions = await deployment.query(
    'SELECT count(*)::int AS count FROM pg_stat_activity WHERE usename = $1',
    [role],
  );
  if (sessions[0].count > 0) throw new Error(`${role} has ${sessions[0].count} sessions after its rotation`);
}

async function rotateRedis(deployment) {
  const { passwords, ports } = deployment.setup;
  const { Redis } = createRequire(import.meta.url)('ioredis');
  const admin = new Redis(redisUrl(passwords.redis, ports.redis));
  const password = newSecret();
  await admin.call('ACL', 'SETUSER', 'default', `>${password}`);
  const url = redisUrl(password, ports.redis);
  await deployment.roll('gateway', { GATEWAY_REDIS_URL: url });
  await deployment.roll('pay-orders', { PAY_ORDERS_REDIS_URL: url });
  await admin.call('ACL', 'SETUSER', 'default', `<${passwords.redis}`);
  admin.disconnect();
}

/** The simulator still signs with the former secret, which is accepted together with the new one. */
async function rotateWebhookSecret(deployment) {
  const { RELOADLY_WEBHOOK_SECRET: former } = appEnvironment(deployment.setup, ['service-api']);
  await deployment.roll('service-api', { RELOADLY_WEBHOOK_SECRET: `${newSecret()},${former}` });
}
