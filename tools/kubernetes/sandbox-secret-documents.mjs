import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { appEnvironment, appNames, hasSchema, prefixOf, schemaOf } from '../local/apps.mjs';
import { writeIdentities } from '../local/identities.mjs';
import { natsOperator, natsPasswordVariable, natsProvisioner, natsUsers } from '../local/nats-users.mjs';
import { ensurePasswords, schemas } from '../local/passwords.mjs';

const withRedis = ['gateway', 'pay-orders'];

/**
 * Returns the Secrets of the sandbox overlay. Passwords and keys are random, created once and stored in the directory.
 * The keys that the simulators accept are public.
 * @param {import('../local/directory.mjs').Directory} directory
 * @param {readonly { name: string, settings: Record<string, any> }[]} apps
 * @returns {any[]} documents
 */
export function sandboxSecrets(directory, apps) {
  const passwords = ensurePasswords(directory);
  const own = ensureOwn(directory);
  const file = directory.file('identities.json');
  writeIdentities(file, passwords.identities);
  const ofApps = apps
    .filter(({ name }) => appNames.includes(name))
    .map(({ name, settings }) =>
      toSecret(name, {
        ...ofSettings(directory, passwords, own, { name, settings }),
        ...(name === 'tee' && { 'tee.key': own.receiptSeed }),
      }),
    );
  return [
    ...ofApps,
    toSecret('identities', { 'identities.json': readFileSync(file, 'utf8') }),
    toSecret('postgres', { POSTGRES_PASSWORD: passwords.postgres.postgres }),
    toSecret(
      'nats',
      Object.fromEntries(natsUsers.map((user) => [natsPasswordVariable(user), passwords.nats[user]])),
    ),
    toSecret('redis', {
      'redis.conf': `requirepass ${passwords.redis}\ndir /data\nsave ""\nappendonly yes\n`,
    }),
    toSecret('setup', ofSetup(passwords)),
  ];
}

/** @param {string} name @param {Record<string, string>} stringData */
const toSecret = (name, stringData) => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name, namespace: 'tollbridge', labels: { 'app.kubernetes.io/part-of': 'tollbridge' } },
  type: 'Opaque',
  stringData,
});

/**
 * Creates the secrets that only Kubernetes needs; `npm start` does not set them.
 * @param {import('../local/directory.mjs').Directory} directory
 */
function ensureOwn(directory) {
  const known = directory.readJson('kubernetes.json') ?? {};
  const own = {
    replySecret: known.replySecret ?? randomBytes(32).toString('hex'),
    receiptSeed: known.receiptSeed ?? `${randomBytes(32).toString('hex')}\n`,
  };
  directory.writeJson('kubernetes.json', own);
  return own;
}

/**
 * @param {import('../local/directory.mjs').Directory} directory
 * @param {import('../local/passwords.mjs').Passwords} passwords
 * @param {ReturnType<typeof ensureOwn>} own
 * @param {{ name: string, settings: Record<string, any> }} app
 * @returns {Record<string, string>}
 */
function ofSettings(directory, passwords, own, { name, settings }) {
  const prefix = prefixOf(name);
  const schema = schemaOf(name);
  const local = appEnvironment({ directory, passwords, ports: {}, gatewayPort: 0 }, [name]);
  /** @type {Record<string, string>} */
  const values = {
    ...local,
    SERVICE_API_REPLY_SECRET: own.replySecret,
    TEE_WALLET_SEED: settings.TEE_WALLET_SEED?.sandboxDefault,
    [`${prefix}_NATS_URL`]: `nats://${name}:${passwords.nats[name]}@nats:4222`,
    ...(hasSchema(name) && {
      [`${prefix}_DATABASE_URL`]: `postgres://${schema}:${passwords.postgres[schema]}@postgres:5432/tollbridge`,
    }),
    ...(withRedis.includes(name) && { [`${prefix}_REDIS_URL`]: `redis://:${passwords.redis}@redis:6379` }),
  };
  const secrets = Object.keys(settings).filter((key) => settings[key].isSecret && values[key]);
  return Object.fromEntries(secrets.map((key) => [key, values[key]]));
}

/** Values that the Job `setup` uses: roles with their passwords, and the file of identities. */
function ofSetup(/** @type {import('../local/passwords.mjs').Passwords} */ { postgres, identities, nats }) {
  const roles = schemas.flatMap((schema) => {
    const variable = schema.toUpperCase();
    return [
      [`POSTGRES_${variable}_PASSWORD`, postgres[schema]],
      [`POSTGRES_${variable}_OWNER_PASSWORD`, postgres[`${schema}_owner`]],
    ];
  });
  const migrations = schemas.map((schema) => [
    `${schema.toUpperCase()}_MIGRATION_DATABASE_URL`,
    `postgres://${schema}_owner:${postgres[`${schema}_owner`]}@postgres:5432/tollbridge`,
  ]);
  const secrets = Object.entries(identities).map(([app, secret]) => [
    `${prefixOf(app)}_IDENTITY_SECRET`,
    secret,
  ]);
  return Object.fromEntries([
    ['PGPASSWORD', postgres.postgres],
    ['PROVISIONER_NATS_URL', `nats://${natsProvisioner}:${nats[natsProvisioner]}@nats:4222`],
    ['OPERATOR_NATS_URL', `nats://${natsOperator}:${nats[natsOperator]}@nats:4222`],
    ...roles,
    ...migrations,
    ...secrets,
  ]);
}
