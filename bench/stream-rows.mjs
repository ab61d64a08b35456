// The stream: how late an update comes that is told on the bus, and what open sockets cost.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { nowMicros } from './stream-clock.mjs';

export const manySockets = 5_000;
const throughGateway = 1_000;
const updatesPerSecond = 1_000;
const burstMs = 10;
const path = '/v1/transaction/stream';

/**
 * @param world gateway and streamUrl
 * @param memory answers the resident memory of the stream in MB; `report` takes what the sockets cost
 */
export function streamRows({ gateway, streamUrl }, { spawn, nats, admin, memory, report }) {
  const row = (name, url, count, onOpened) => {
    let clients;
    const prepare = async () => {
      const ids = await makeSets(admin, count);
      const { child } = await spawn('stream-clients.mjs', []);
      const ask = asker(child);
      const before = memory();
      await ask({ command: 'open', url: url.replace('http', 'ws') + path, ids });
      onOpened?.(before);
      return { ids, ask, version: 1 };
    };
    const run = async (_inFlight, seconds) => {
      clients ??= await prepare();
      return measureUpdates(nats, clients, seconds);
    };
    return { name, levels: [1], run };
  };
  const noteMemory = (before) => report({ sockets: manySockets, growthMb: memory() - before });
  return [
    row('stream update, 5,000 sockets', streamUrl, manySockets, noteMemory),
    row('stream update, via gateway', gateway, throughGateway),
  ];
}

/** Asks the clients one thing at a time. */
function asker(child) {
  return async (message) => {
    child.send(message);
    const [reply] = await once(child, 'message');
    if (reply.failed) throw new Error(`the stream's clients: ${reply.failed}`);
    return reply;
  };
}

/** Copies of one set that was built, which nobody will sign. */
async function makeSets(admin, count) {
  const ids = Array.from({ length: count }, () => randomUUID());
  const { rowCount } = await admin.query(
    `INSERT INTO tx_engine.transaction_sets
     SELECT copy.* FROM
       (SELECT to_jsonb(t) AS built FROM tx_engine.transaction_sets t WHERE state = 'built' AND version = 1 LIMIT 1) one,
       unnest($1::uuid[]) id,
       jsonb_populate_record(NULL::tx_engine.transaction_sets,
         built || jsonb_build_object('id', id, 'valid_until', now() + interval '1 day')) copy`,
    [ids],
  );
  if (rowCount < count) throw new Error('no built set of transactions was found to copy');
  return ids;
}

/** Tells a fixed number of updates a second, each of another set, whatever becomes of them. */
async function measureUpdates(nats, clients, seconds) {
  const { ids, ask } = clients;
  await ask({ command: 'begin' });
  const startedMs = performance.now();
  let told = 0;
  while (told < seconds * updatesPerSecond) {
    const due = Math.min(
      seconds * updatesPerSecond,
      ((performance.now() - startedMs) / 1_000) * updatesPerSecond,
    );
    for (; told < due; told++) {
      if (told % ids.length === 0) clients.version++;
      tell(nats, ids[told % ids.length], clients.version);
    }
    await new Promise((resolve) => setTimeout(resolve, burstMs));
  }
  const elapsed = (performance.now() - startedMs) / 1_000;
  const result = await ask({ command: 'end', expected: told });
  return { ...result, rate: (told - result.missing) / elapsed };
}

function tell(nats, transactionId, version) {
  const data = {
    ...{
      transactionId,
      status: 'confirming',
      step: 'originSwap',
      confirmations: 1,
      requiredConfirmations: 3,
    },
    txHash: '0x5c504ed432cb51138bcf09aa5e8a410dd4a1e204ef84bfed1be16dfba1b22060',
    // Where the clients find when it was told.
    timestamp: nowMicros(),
    version,
  };
  const event = { type: 'transaction-updated', version: 1, aggregateId: transactionId, data };
  nats.publish(`events.tx-engine.transaction-updated.v1.${transactionId}`, JSON.stringify(event));
}
