// The stream: delay of an update that is published on the bus, with one set per socket, or one set for all sockets.
import { eventSigner } from './event-signer.mjs';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { lazily } from './lazily.mjs';
import { hashWithTime, nowMicros } from './stream-clock.mjs';

const manySockets = 5_000;
const throughGateway = 1_000;
const updatesPerSecond = 1_000;
// Each fan-out ends before the next starts, also on a slow machine.
const fanOutsPerSecond = 4;
const burstMs = 10;
const path = '/v1/transaction/stream';

/**
 * @param deployment gateway and streamUrl
 * @param parts `spawn`; `nats`, a connection for the events of tx-engine; `copySets` creates transaction sets and
 * returns their ids; `memory` returns the resident memory of the stream in MB; `report` receives the memory per socket
 */
export function streamRows(deployment, { spawn, nats, copySets, memory, report }) {
  const { gateway, streamUrl } = deployment;
  const publish = publisher(nats, eventSigner(deployment, 'tx-engine'));
  const noteMemory = (before) => report({ sockets: manySockets, growthMb: memory() - before });
  const direct = lazily(async () => {
    const before = memory();
    const clients = await openClients({ spawn, copySets }, streamUrl, manySockets);
    noteMemory(before);
    return clients;
  });
  const proxied = lazily(() => openClients({ spawn, copySets }, gateway, throughGateway));
  const limit = lazily(() => openLimit(spawn));
  const update = (clients) => async (_inFlight, seconds) => measureUpdates(publish, await clients(), seconds);
  const fanOut = (clients) => async (_inFlight, seconds) => {
    const { ask, ids, shared } = await clients();
    return measureFanOut({ ask, send: () => publish(shared), sockets: ids.length }, seconds);
  };
  const sustained = { inFlight: 1, isPaced: true };
  return [
    { name: 'stream update, 5,000 sockets', levels: [1], sustained, run: update(direct) },
    { name: 'stream update, via gateway', levels: [1], sustained, run: update(proxied) },
    {
      name: 'raw net fan-out, 5,000 sockets',
      levels: [1],
      run: async (_inFlight, seconds) => measureFanOut(await limit(), seconds),
    },
    {
      name: 'stream fan-out, 5,000 sockets',
      of: 'raw net fan-out, 5,000 sockets',
      compared: 'p99',
      levels: [1],
      run: fanOut(direct),
    },
    { name: 'stream fan-out, via gateway', levels: [1], run: fanOut(proxied) },
  ];
}

/** Opens sockets that subscribe to one set each, and to one common set. */
async function openClients({ spawn, copySets }, origin, count) {
  const [shared, ...ids] = await copySets(count + 1);
  const { child } = await spawn('stream-clients.mjs', []);
  const ask = asker(child);
  await ask({ command: 'open', origin, path, ids, shared });
  return { ids, shared, ask };
}

async function openLimit(spawn) {
  const { child: server, url } = await spawn('limits/net-fan-out.mjs', []);
  const { child: clients } = await spawn('stream-clients.mjs', []);
  const ask = asker(clients);
  await ask({ command: 'openRaw', origin: url, count: manySockets });
  return { ask, send: () => server.send({}), sockets: manySockets };
}

/** Sends commands to the clients one at a time. */
function asker(child) {
  return async (message) => {
    child.send(message);
    const [reply] = await once(child, 'message');
    if (reply.failed) throw new Error(`the stream's clients: ${reply.failed}`);
    return reply.result;
  };
}

/** Publishes a fixed number of updates per second, each of another set, even if they arrive late. */
async function measureUpdates(publish, { ids, ask }, seconds) {
  await ask({ command: 'begin' });
  const total = Math.round(seconds * updatesPerSecond);
  const startedMs = performance.now();
  let published = 0;
  while (published < total) {
    const due = Math.min(total, ((performance.now() - startedMs) / 1_000) * updatesPerSecond);
    for (; published < due; published++) publish(ids[published % ids.length]);
    await new Promise((resolve) => setTimeout(resolve, burstMs));
  }
  return ask({ command: 'end', expected: total, seconds });
}

/** Publishes one update at a time to all sockets. The rate counts received updates. */
async function measureFanOut({ ask, send, sockets }, seconds) {
  await ask({ command: 'begin' });
  const total = Math.max(1, Math.round(seconds * fanOutsPerSecond));
  for (let sent = 0; sent < total; sent++) {
    send();
    await new Promise((resolve) => setTimeout(resolve, 1_000 / fanOutsPerSecond));
  }
  return ask({ command: 'end', expected: total * sockets, seconds });
}

/** Publishes like the relay: through JetStream, with an acknowledgement. */
function publisher(nats, sign) {
  const stream = nats.jetstream({ timeout: 5_000 });
  // Higher than the version of every set, so that no update is older than the state that its sockets have.
  let version = 1;
  return (transactionId) => {
    const id = randomUUID();
    version++;
    const event = {
      id,
      type: 'transaction-updated',
      version: 1,
      aggregateId: transactionId,
      aggregateVersion: version,
      occurredAt: new Date().toISOString(),
      requestId: `req_${id}`,
      traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00',
      data: {
        transactionId,
        status: 'confirming',
        step: 'originSwap',
        txHash: hashWithTime(nowMicros()),
        confirmations: 1,
        requiredConfirmations: 3,
        timestamp: Math.floor(Date.now() / 1_000),
        version,
      },
    };
    const subject = `events.tx-engine.transaction-updated.v1.${transactionId}`;
    const { data, headers } = sign(subject, JSON.stringify(event));
    stream.publish(subject, data, { msgID: id, headers }).catch(() => {
      // The clients count missing updates.
    });
  };
}
