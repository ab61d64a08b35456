// Kills processes of a seller, the payment ledger and PostgreSQL at random moments while channels are open. Then
// compares the charges with the served requests.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { randomOf } from '../../seeded-random.mjs';
import { checkBalances, Finding, ReceiptChain } from '../kill/ledger-checks.mjs';
import { KilledDeployment, seller as sellerAccount } from '../kill/deployment.mjs';
import { priceAtomic } from '../resource.mjs';
import { buyByChannel, makeChannelBuyer, offersChannels, Purchases } from './channel-buyers.mjs';
import { ChannelSeller, closeIdleMs } from './channel-seller.mjs';
import { SmallDisk } from './small-disk.mjs';

const processes = 2;
const buyersOfProcess = 6;
const longestPauseMs = 500;
const backWithinMs = 30_000;
const settledWithinMs = 30_000;
const closesWithinMs = 2_000;
// Enough for the logs of all processes, with the logs of their predecessors and their snapshots.
const diskMegabytes = 96;
// Small, because a log needs disk space with each snapshot.
const smallLogBytes = 20_000;
const fullForMs = 1_000;

/**
 * @param {{ kills: number, seed: number, 'full-disk'?: boolean, print: (line: string) => void, signal: AbortSignal }} options
 * @returns {Promise<object>} the figures of the run; rejects with the first fault
 */
export async function runKills({ kills, seed, print, signal, 'full-disk': isFull = false }) {
  const random = randomOf(seed);
  const buyers = Array.from({ length: processes * buyersOfProcess }, makeChannelBuyer);
  const disk = isFull ? await SmallDisk.mount(diskMegabytes) : undefined;
  const folder = disk?.folder ?? mkdtempSync(join(tmpdir(), 'kill-channels-'));
  const options = { folder, ...(disk && { maxLogBytes: smallLogBytes }) };
  const startSellers = (deployment) =>
    Array.from({ length: processes }, () => ChannelSeller.start(deployment, options));
  try {
    const deployment = await KilledDeployment.start(buyers, startSellers);
    try {
      return await killWithChannels(deployment, { kills, random, print, buyers, signal, disk });
    } finally {
      await deployment.stop();
    }
  } finally {
    if (disk) await disk.unmount();
    else rmSync(folder, { recursive: true, force: true });
  }
}

async function killWithChannels(deployment, { kills, random, print, buyers, signal, disk }) {
  const { sellers } = deployment;
  const [purchases, end] = [new Purchases(), new AbortController()];
  const options = { purchases, random, signal: end.signal, allSellers: sellers };
  const loads = buyers.map((buyer, place) => buyByChannel(buyer, sellers[place % processes], options));
  const failed = Promise.all(loads).then(() => new Promise(() => undefined));
  failed.catch(() => undefined);
  const chain = new ReceiptChain();
  const stopped = new Promise((_resolve, reject) => {
    const stop = () => reject(new Finding('stopped before the end'));
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
  });
  stopped.catch(() => undefined);
  try {
    await Promise.race([
      causeAll(kills, { deployment, purchases, random, print, chain, disk }),
      failed,
      stopped,
    ]);
  } finally {
    end.abort();
    await Promise.allSettled(loads);
  }
  await Promise.all(loads);
  return { kills, ...(await checkSettled(deployment, purchases, chain)) };
}

async function causeAll(kills, { deployment, purchases, random, print, chain, disk }) {
  const { sellers } = deployment;
  const failures = {
    seller: () => sellers[Math.floor(random() * sellers.length)].kill(),
    sellers: () => Promise.all(sellers.map((seller) => seller.kill())),
    ledger: () => deployment.failures.tee(),
    database: () => deployment.failures.postgres(),
    'full disk': () => fillFor(disk, sellers, purchases, () => sleep(fullForMs)),
    'sellers on a full disk': () => fillFor(disk, sellers, purchases, () => failures.sellers()),
  };
  // Most kills are of sellers, because `kill:nanopay` is the drill of the ledger.
  const names = disk
    ? ['full disk', 'seller', 'sellers on a full disk', 'full disk', 'ledger']
    : ['seller', 'seller', 'sellers', 'seller', 'ledger', 'seller', 'database'];
  await untilServed(purchases);
  for (let index = 0; index < kills; index++) {
    await sleep(random() * longestPauseMs);
    const name = names[index % names.length];
    const [startedMs, before] = [performance.now(), purchases.count];
    await failures[name]();
    await untilServed(purchases);
    await deployment.readSnapshot(async (query) => {
      await chain.follow(query);
      await checkBalances(query);
    });
    const tookS = ((performance.now() - startedMs) / 1_000).toFixed(1);
    print(`${index + 1}/${kills} ${name}: checked after ${tookS} s, ${before} served before`);
  }
}

/**
 * Fills the disk until no process can write its log, and frees it after `meanwhile`. During that time, no channel pays.
 */
async function fillFor(disk, sellers, purchases, meanwhile) {
  disk.fill();
  for (const endMs = Date.now() + backWithinMs; await isAnyOffering(sellers); await sleep(20)) {
    if (Date.now() > endMs) throw new Finding(`links were accepted on a full disk for ${backWithinMs} ms`);
    // Fills the space that snapshots have freed.
    disk.fill();
  }
  await sleep(100);
  const before = purchases.byChannel;
  await meanwhile();
  if (purchases.byChannel > before) throw new Finding('a link was accepted while no log could be written');
  disk.free();
}

const isAnyOffering = async (sellers) =>
  (await Promise.all(sellers.map(({ url }) => offersChannels(url)))).some((isOffering) => isOffering);

async function untilServed(purchases) {
  const before = purchases.byChannel;
  for (const endMs = Date.now() + backWithinMs; purchases.byChannel <= before; await sleep(10))
    if (Date.now() > endMs) throw new Finding(`nothing was served for ${backWithinMs} ms`);
}

/** Returns the channels with a charge in the ledger that is smaller than the served requests. */
async function chargedLess(query, { served }) {
  const counts = new Map();
  for (const id of [...served].map((paid) => paid.split('-')[0])) counts.set(id, (counts.get(id) ?? 0) + 1);
  const rows = await query('SELECT confirmation_id, units, link_index, is_open FROM tee.channels');
  return rows
    .map((row) => ({ ...row, count: counts.get(row.confirmation_id.replaceAll('-', '')) ?? 0 }))
    .filter(({ units, count }) => units < count)
    .map(
      (row) =>
        `${row.confirmation_id}: ${row.count} served, ${row.units} of ${row.link_index} charged, open ${row.is_open}`,
    );
}

/**
 * Verifies that each served request was charged once. Other charges are allowed only for requests without a reply.
 */
async function checkSettled(deployment, purchases, chain) {
  const { count: served, unknown, servedAgain } = purchases;
  const account = Buffer.from(sellerAccount.slice(2), 'hex');
  const readCharged = (query) =>
    query('SELECT earned FROM tee.accounts WHERE account = $1', [account]).then(([row]) =>
      Number(BigInt(row?.earned ?? 0) / BigInt(priceAtomic)),
    );
  let charged = 0;
  await sleep(closeIdleMs + closesWithinMs);
  for (const endMs = Date.now() + settledWithinMs; ; await sleep(200)) {
    for (const seller of deployment.sellers) await seller.settle();
    charged = await deployment.readSnapshot(async (query) => {
      await chain.follow(query);
      await checkBalances(query);
      return readCharged(query);
    });
    if (charged >= served) break;
    if (Date.now() > endMs) {
      const less = await deployment.readSnapshot((query) => chargedLess(query, purchases));
      throw new Finding(`${served} requests were served, and ${charged} were charged: ${less.join(', ')}`);
    }
  }
  if (charged > served + unknown)
    throw new Finding(`${charged} were charged: ${served} were served, and ${unknown} had no answer`);
  return { served, charged, unknown, servedAgain, receipts: Number(chain.seq) };
}
