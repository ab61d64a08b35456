import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { hostname, userInfo } from 'node:os';
import { parseArgs } from 'node:util';
import { runTypedCommand } from './command.mjs';
import { defaultDirectory, Directory } from './directory.mjs';
import { natsOperator } from './nats-users.mjs';
import { natsUrl } from './nats.mjs';
import { isForDeployment, readOperatorBus } from './operator-bus.mjs';
import { ensurePasswords } from './passwords.mjs';
import { Problem, TypingMistake } from './problem.mjs';

const usage = `Sets the plan of an API key, and its own rate with Enterprise; records who did it and why.

  npm run keys:plan -- KEY PLAN --reason TEXT [--per-minute N [--burst N]] [--operator NAME] [--directory DIR | --nats URL]

  KEY         the id of the key, or its publishable half (tb_test_pk_...); never its secret
  PLAN        free, pro or enterprise
  --reason    why; it stands in the record
  --per-minute
              requests per minute of this key, with enterprise only; without it the key has no limit
  --burst     most requests in any 60 seconds; without it twice --per-minute
  --operator  the person, or OPERATOR_NAME; only for a sandbox of this machine it is its user by default
  --directory the folder of the running sandbox; without it ${defaultDirectory}
  --nats      the bus of a deployment, tls://operator:PASSWORD@HOST:4222; needs OPERATOR_IDENTITY_SECRET and
              SERVICE_IDENTITIES_FILE in the environment. OPERATOR_NATS_URL does the same. Both secrets may be files
              instead (OPERATOR_NATS_URL_FILE). NATS_CA_FILE, NATS_CERT_FILE and NATS_KEY_FILE are as in the apps.
              Without TLS it connects to this machine only, unless ALLOW_PLAINTEXT=nats=REASON says why.
`;

/** Runs the command. Prints the change, or the reason for a failure. */
export const runKeysPlan = () =>
  runTypedCommand(usage, async () => {
    const { values, positionals } = parseArgs({
      options: {
        reason: { type: 'string' },
        'per-minute': { type: 'string' },
        burst: { type: 'string' },
        operator: { type: 'string' },
        directory: { type: 'string' },
        nats: { type: 'string' },
      },
      allowPositionals: true,
    });
    const [key, plan] = positionals;
    if (positionals.length !== 2 || !values.reason)
      throw new TypingMistake('Name the key, its plan and the reason.');
    // A secret on the command line is already in the shell history and must not be sent anywhere.
    if (/_sk_/.test(key))
      throw new Problem('That is the secret of a key. Pass its id or its publishable half.');
    const place = placeOf(values);
    const { reason, 'per-minute': perMinute, burst } = values;
    const rate = { ...numberIn('perMinute', perMinute), ...numberIn('burst', burst) };
    const request = { key, plan, ...rate, operator: operatorOf(values.operator, place), reason };
    const reply = await call(place, request).catch((error) => {
      throw answered(error);
    });
    process.stdout.write(`${sentenceOf(reply)}\n`);
  });

/**
 * @typedef {object} Place the destination of the call
 * @property {string} url of the bus
 * @property {{ caFile?: string, certFile?: string, keyFile?: string }} [tls] TLS files for the bus
 * @property {string} secret of the operator's identity
 * @property {string} identities the file of public keys
 * @property {boolean} isLocal true for a sandbox on this machine
 */

/** @param {{ nats?: string, directory?: string }} options @returns {Place} */
function placeOf({ nats, directory: path }) {
  if (isForDeployment({ nats, directory: path })) return deploymentOf(nats);
  const directory = new Directory(path ?? defaultDirectory);
  const state = directory.readJson('state.json');
  if (!state?.ready)
    throw new Problem(
      'Tollbridge is not running here. Start it (npm start), or name a deployment by --nats.',
    );
  const passwords = ensurePasswords(directory);
  return {
    url: natsUrl(natsOperator, passwords.nats[natsOperator], state.ports.nats),
    secret: passwords.identities[natsOperator],
    identities: directory.file('identities.json'),
    isLocal: true,
  };
}

/** @param {string | undefined} nats replaces OPERATOR_NATS_URL @returns {Place} */
function deploymentOf(nats) {
  const { url, tls, config } = readOperatorBus(nats, ({ text }) => ({
    OPERATOR_IDENTITY_SECRET: text({
      description: 'identity secret of the operator',
      example: '…',
      isSecret: true,
    }),
    SERVICE_IDENTITIES_FILE: text({
      description: 'file with the public keys of all apps',
      example: './identities.json',
    }),
  }));
  return {
    url,
    tls,
    secret: config.OPERATOR_IDENTITY_SECRET,
    identities: config.SERVICE_IDENTITIES_FILE,
    isLocal: false,
  };
}

/**
 * In a deployment, a name is required, because all containers use the same user. @param {string | undefined} given
 * @param {Place} place
 */
function operatorOf(given, { isLocal }) {
  const name = given ?? process.env.OPERATOR_NAME;
  if (name) return name;
  if (isLocal) return `${userInfo().username}@${hostname()}`;
  throw new Problem('Name the operator: --operator NAME, or OPERATOR_NAME in the environment.');
}

/**
 * Other text is sent unchanged, so that the merchant app rejects it. NaN would count as absent.
 * @param {string} field
 * @param {string | undefined} text
 */
const numberIn = (field, text) =>
  text === undefined ? {} : { [field]: /^\d+$/.test(text) ? Number(text) : text };

/** @param {Place} place @param {{ key: string, plan: string, operator: string, reason: string }} request */
async function call({ url, tls = {}, secret, identities }, request) {
  // Imported here, because it must be built first in a fresh clone.
  const require = createRequire(import.meta.url);
  require('reflect-metadata');
  const { BusClient, BusConnection, readIdentityDirectory, ServiceIdentity } = require('@tollbridge/rpc');
  const { callAccess, keyPlansApi } = require('@tollbridge/contracts');
  const known = readIdentityDirectory(readFileSync(identities, 'utf8'));
  const identity = new ServiceIdentity(natsOperator, secret.split(','), known);
  const bus = await BusConnection.open({ app: natsOperator, url, tls });
  const client = new BusClient(bus, identity, callAccess);
  try {
    return await client.call(keyPlansApi.operations.setKeyPlan, request);
  } finally {
    client.close();
    await bus.close();
  }
}

/**
 * @param {{ id: string, label: string, owner: string, from: string, to: string, changed: boolean,
 *   rate?: { perMinute: number, burst: number } | null }} reply
 */
function sentenceOf({ id, label, owner, from, to, rate, changed }) {
  const now = rate ? `${to} (${rate.perMinute} a minute, burst ${rate.burst})` : to;
  const key = `The key ${id} (${JSON.stringify(label)} of ${owner})`;
  return changed
    ? `${key}: plan ${from} -> ${now}.`
    : `${key} has the plan ${now} already. Nothing was changed.`;
}

/** Converts an error reply of the app to a sentence. @param {any} error */
function answered(error) {
  const { code, message, details } = error;
  if (code === undefined) return error;
  const fields = code === 'VALIDATION_ERROR' && Array.isArray(details) ? details : undefined;
  return new Problem(
    fields?.map(({ field, message: why }) => `${field} ${why}`).join('; ') ?? `${message} (${code})`,
  );
}
