import { createRequire } from 'node:module';
import { parseArgs } from 'node:util';
import { runTypedCommand } from './command.mjs';
import { defaultDirectory, Directory } from './directory.mjs';
import { natsOperator } from './nats-users.mjs';
import { natsUrl } from './nats.mjs';
import { isForDeployment, readOperatorBus } from './operator-bus.mjs';
import { ensurePasswords } from './passwords.mjs';
import { Problem, TypingMistake } from './problem.mjs';

const usage = `Provisions, lists or deletes the event streams of all apps.

  npm run streams -- apply            creates and updates all streams and consumers; changes nothing that is in place
  npm run streams -- list
  npm run streams -- delete --yes     after PostgreSQL was restored to an earlier moment, while no app runs

"apply" takes the settings <APP>_STREAM_MAX_MB and <APP>_STREAM_REPLICAS from the environment. "delete" creates the streams
again, empty: the apps refill them from their outbox tables.

  --directory the folder of the sandbox; without it ${defaultDirectory}
  --nats      the bus of a deployment, tls://operator:PASSWORD@HOST:4222. OPERATOR_NATS_URL does the same, as does a file
              (OPERATOR_NATS_URL_FILE). NATS_CA_FILE, NATS_CERT_FILE and NATS_KEY_FILE are as in the apps. Without TLS it
              connects to this machine only, unless ALLOW_PLAINTEXT=nats=REASON says why.
`;

/** Runs the command and prints each stream. */
export const runStreams = () =>
  runTypedCommand(usage, async () => {
    const { values, positionals } = parseArgs({
      options: {
        yes: { type: 'boolean', default: false },
        directory: { type: 'string' },
        nats: { type: 'string' },
      },
      allowPositionals: true,
    });
    const [action] = positionals;
    const isDeleting = action === 'delete' && values.yes;
    const isKnown = action === 'apply' || action === 'list' || isDeleting;
    if (positionals.length !== 1 || !isKnown) throw new TypingMistake('Use apply, list, or delete --yes.');
    const bus = busOf(values);
    if (action !== 'apply') await withStreams(bus, isDeleting);
    if (action !== 'list') await apply(bus);
  });

/**
 * @typedef {{ url: string, environment: string, tls?: { caFile?: string, certFile?: string, keyFile?: string } }} Bus
 */

/** @param {{ nats?: string, directory?: string }} options @returns {Bus} */
function busOf({ nats, directory: path }) {
  if (isForDeployment({ nats, directory: path })) {
    const { url, tls, config } = readOperatorBus(nats);
    return { url, tls, environment: config.environment };
  }
  const directory = new Directory(path ?? defaultDirectory);
  const state = directory.readJson('state.json');
  if (!state) throw new Problem('There is no sandbox here. Name a deployment by --nats.');
  const url = natsUrl(natsOperator, ensurePasswords(directory).nats[natsOperator], state.ports.nats);
  return { url, environment: 'sandbox' };
}

/** @param {Bus} bus */
async function apply({ url, environment }) {
  // Imported here, because it must be built first in a fresh clone.
  const { describeStream, provisionStreams } = createRequire(import.meta.url)('@tollbridge/bootstrap');
  const own = { PROVISIONER_NATS_URL: url, PROVISIONER_NATS_URL_FILE: '' };
  const env = { ...process.env, TOLLBRIDGE_ENV: environment, ...own };
  await provisionStreams(env, {
    onStream: (/** @type {any} */ stream) => process.stdout.write(`${describeStream(stream)}\n`),
  });
}

/** @param {Bus} bus @param {boolean} isDeleting */
async function withStreams({ url, tls = {} }, isDeleting) {
  // Imported here, because the package must be built first in a fresh clone.
  const require = createRequire(import.meta.url);
  require('reflect-metadata');
  const { BusConnection, streamOf } = require('@tollbridge/rpc');
  const { declaredStreams } = require('@tollbridge/contracts');
  const bus = await BusConnection.openEvents({ app: natsOperator, url, tls });
  try {
    const manager = await bus.jetstreamManager();
    const ours = declaredStreams.map((/** @type {{ app: string }} */ { app }) => streamOf(app));
    const existing = await manager.streams.list().next();
    for (const { config, state } of existing.filter(({ config: { name } }) => ours.includes(name))) {
      if (isDeleting) await manager.streams.delete(config.name);
      process.stdout.write(
        `${config.name}: ${state.messages} events, ${state.bytes} bytes${isDeleting ? ', deleted' : ''}\n`,
      );
    }
  } finally {
    await bus.close();
  }
}
