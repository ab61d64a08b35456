// Kills enclave, facilitator and database at random moments while buyers pay, and looks at the ledger after each time.
import { setTimeout as sleep } from 'node:timers/promises';
import { randomOf } from '../../seeded-random.mjs';
import { buyFromGuards, Facilitation, Told } from './load.mjs';
import { checkBalances, checkGrants, Finding, paymentsOf, ReceiptChain } from './ledger-checks.mjs';
import { makeBuyer } from './payments.mjs';
import { KillWorld } from './world.mjs';

const guardBuyers = 28;
const facilitatedBuyers = 4;
const longestPauseMs = 700;
/** After it was killed it must charge again within this time. */
const backWithinMs = 30_000;

/**
 * @param {{ kills: number, seed: number, print: (line: string) => void, signal: AbortSignal }} options
 * @returns {Promise<object>} the figures of the run; rejects with what was found
 */
export async function runKills({ kills, seed, print, signal }) {
  const random = randomOf(seed);
  const buyers = Array.from({ length: guardBuyers + facilitatedBuyers }, makeBuyer);
  const world = await KillWorld.start(buyers);
  try {
    return await killUnderLoad(world, { kills, random, print, buyers, signal });
  } finally {
    await world.stop();
  }
}

async function killUnderLoad(world, { kills, random, print, buyers, signal }) {
  const told = new Told();
  const end = new AbortController();
  const { sellers } = world;
  const facilitation = await Facilitation.open(world.natsUrl);
  const options = { sellers, told, random, signal: end.signal };
  const loads = [
    ...buyers.slice(0, guardBuyers).map((buyer) => buyFromGuards(buyer, options)),
    ...buyers.slice(guardBuyers).map((buyer) => facilitation.buy(buyer, options)),
  ];
  const failed = Promise.all(loads).then(() => new Promise(() => undefined));
  failed.catch(() => undefined);
  const checks = new Checks(world, told);
  try {
    const blows = shuffled(blowsOf(kills), random);
    await Promise.race([strikeAll(blows, { world, told, checks, random, print }), failed, aborted(signal)]);
  } finally {
    end.abort();
    await Promise.allSettled(loads);
    await facilitation.close();
  }
  await Promise.all(loads);
  return { ...(await checks.all()), kills, unknown: told.unknown };
}

async function strikeAll(blows, { world, told, checks, random, print }) {
  await untilGranted(told, 0);
  for (const [index, blow] of blows.entries()) {
    await sleep(random() * longestPauseMs);
    const [startedMs, before] = [performance.now(), told.grants.length];
    await world.blows[blow]();
    await untilGranted(told, told.grants.length);
    await checks.now();
    const tookS = ((performance.now() - startedMs) / 1000).toFixed(1);
    print(
      `${index + 1}/${blows.length} ${blow}: checked after ${tookS} s, ${before} grants before, ${told.unknown} unknown`,
    );
  }
}

const aborted = (signal) =>
  new Promise((_resolve, reject) => {
    const stop = () => reject(new Finding('stopped before the end'));
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
  });

async function untilGranted(told, before) {
  for (const endMs = Date.now() + backWithinMs; told.grants.length <= before; await sleep(10))
    if (Date.now() > endMs) throw new Finding(`nothing was charged for ${backWithinMs} ms`);
}

/** What was told is compared with what is written. */
class Checks {
  chain = new ReceiptChain();
  checkedGrants = 0;

  constructor(world, told) {
    Object.assign(this, { world, told });
  }

  /** Of what was told before. */
  async now() {
    const count = this.told.grants.length;
    const grants = this.told.grants.slice(this.checkedGrants, count);
    await this.world.look(async (query) => {
      await this.chain.follow(query);
      await checkBalances(query);
      await checkGrants(query, grants, this.world.enclaveKey);
    });
    this.checkedGrants = count;
  }

  /** Of everything, from the beginning. */
  async all() {
    this.chain = new ReceiptChain();
    this.checkedGrants = 0;
    await this.now();
    const { grants, copies } = this.told;
    return this.world.look(async (query) => {
      const charged = await paymentsOf(query, copies);
      const free = copies.filter((id) => !['captured', 'voided'].includes(charged.get(id)?.state));
      if (free.length > 0) throw new Finding(`called copies, but never charged: ${free.join()}`);
      const [{ count }] = await query(`SELECT count(*) FROM tee.payments WHERE state = 'captured'`);
      const notServed = Number(count) - grants.length;
      if (notServed > copies.length) throw new Finding(`${notServed} were charged without being served`);
      return { grants: grants.length, receipts: Number(this.chain.seq), copies: copies.length, notServed };
    });
  }
}

/** Equally many of each; in half of them a second ledger process stands by. */
function blowsOf(kills) {
  const names = ['tee', 'takeover', 'pause', 'postgres', 'nanopay', 'handover'];
  return Array.from({ length: kills }, (_, index) => names[index % names.length]);
}

const shuffled = (list, random) =>
  list
    .map((item) => ({ item, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
