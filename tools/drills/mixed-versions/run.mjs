// Performs the steps of a rolling upgrade and of its rollback. Each step has payments, webhooks, 402 payments and
// purchases.
import { secondsSince } from '../run-drill.mjs';
import { checkOutPrevious } from './previous-checkout.mjs';
import { MixedSandbox, oneOfEach, twoOfEach } from './mixed-sandbox.mjs';
import { WebhookReceiver } from './webhook-receiver.mjs';
import { subscribe, workRound } from './workload.mjs';

const rounds = 3;
const entrances = ['gateway', 'stream'];
const isEntrance = (/** @type {string} */ app) => entrances.includes(app);

const modes = {
  'old release on the new schema': oneOfEach(() => 'old'),
  'new services, old gateway and stream': oneOfEach((app) => (isEntrance(app) ? 'old' : 'new')),
  'one old and one new replica of each app': twoOfEach(),
  'old services, new gateway and stream': oneOfEach((app) => (isEntrance(app) ? 'new' : 'old')),
  'new release': oneOfEach(() => 'new'),
};

/**
 * @param {import('../run-drill.mjs').DrillOptions} options
 * @returns {Promise<object>} the measurements; rejects with the first error
 */
export async function run({ print, signal, options }) {
  const previous = await checkOutPrevious(options['from'], print);
  try {
    const sandbox = await MixedSandbox.start(previous.folder);
    const receiver = await WebhookReceiver.open();
    let isDone = false;
    try {
      const figures = {};
      for (const [mode, replicas] of Object.entries(modes)) {
        signal.throwIfAborted();
        figures[mode] = await runMode(sandbox, replicas, receiver);
        print(`${mode}: ${JSON.stringify(figures[mode])}`);
      }
      isDone = true;
      return { previous: previous.commit, ...figures };
    } finally {
      receiver.close();
      if (!isDone) print(`the logs stay in ${sandbox.directory.file('logs')}`);
      await sandbox.stop({ keepsLogs: !isDone });
    }
  } finally {
    previous.remove();
  }
}

async function runMode(sandbox, replicas, receiver) {
  await sandbox.startApps(replicas);
  try {
    const { gateways } = sandbox;
    await subscribe(gateways[0], receiver);
    const startedMs = performance.now();
    let done = 0;
    for (let round = 0; round < rounds; round++)
      for (const gateway of gateways) {
        await workRound(gateway, receiver);
        done++;
      }
    if (receiver.faults.length > 0) throw new Error(`invalid webhooks: ${receiver.faults.join(', ')}`);
    const seconds = secondsSince(startedMs);
    return { apps: replicas.length, ordersSettled: done, cards: done, payments402: done, seconds };
  } finally {
    await sandbox.stopApps();
  }
}
