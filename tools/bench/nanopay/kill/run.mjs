// Kills payment ledger, facilitator and database at random moments while buyers pay, and verifies the ledger after each
// kill.
import { setTimeout as sleep } from 'node:timers/promises';
import { randomOf } from '../../seeded-random.mjs';
import { buyFromSellers, Facilitation, Outcomes } from './load.mjs';
import { checkBalances, checkGrants, Finding, paymentsOf, ReceiptChain } from './ledger-checks.mjs';
import { makeBuyer } from './payments.mjs';
import { KilledDeployment } from './deployment.mjs';

const sellerBuyers = 28;
const facilitatedBuyers = 4;
const longestPauseMs = 700;
/** After a kill, the ledger must charge again within this time. */
const backWithinMs = 30_000;

/**
 * @param {{ kills: number, seed: number, print: (line: string) => void, signal: AbortSignal }} options
 * @returns {Promise<object>} the figures of the run; rejects with the first fault
 */
export async function runKills({ kills, seed, print, signal }) {
  const random = randomOf(seed);
  const buyers = Array.from({ length: sellerBuyers + facilitatedBuyers }, makeBuyer);
  const deployment = await KilledDeployment.start(buyers);
  try {
    return await killUnderLoad(deployment, { kills, random, print, buyers, signal });
  } finally {
    await deployment.stop();
  }
}

async function killUnderLoad(deployment, { kills, random, print, buyers, signal }) {
  const outcomes = new Outcomes();
  const end = new AbortController();
  const { sellers } = deployment;
  const facilitation = await Facilitation.open(deployment.natsUrl);
  const options = { sellers, outcomes, random, signal: end.signal };
  const loads = [
    ...buyers.slice(0, sellerBuyers).map((buyer) => buyFromSellers(buyer, options)),
    ...buyers.slice(sellerBuyers).map((buyer) => facilitation.buy(buyer, options)),
  ];
  const failed = Promise.all(loads).then(() => new Promise(() => undefined));
  failed.catch(() => undefined);
  const checks = new Checks(deployment, outcomes);
  try {
    const failures = shuffled(failuresOf(kills), random);
    await Promise.race([
      causeAll(failures, { deployment, outcomes, checks, random, print }),
      failed,
      aborted(signal),
    ]);
  } finally {
    end.abort();
    await Promise.allSettled(loads);
    await facilitation.close();
  }
  await Promise.all(loads);
  return { ...(await checks.all()), kills, unknown: outcomes.unknown };
}

async function causeAll(failures, { deployment, outcomes, checks, random, print }) {
  await untilGranted(outcomes, 0);
  for (const [index, failure] of failures.entries()) {
    await sleep(random() * longestPauseMs);
    const [startedMs, before] = [performance.now(), outcomes.grants.length];
    await deployment.failures[failure]();
    await untilGranted(outcomes, outcomes.grants.length);
    await checks.now();
    const tookS = ((performance.now() - startedMs) / 1000).toFixed(1);
    print(
      `${index + 1}/${failures.length} ${failure}: checked after ${tookS} s, ${before} grants before, ${outcomes.unknown} unknown`,
    );
  }
}

const aborted = (signal) =>
  new Promise((_resolve, reject) => {
    const stop = () => reject(new Finding('stopped before the end'));
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
  });

async function untilGranted(outcomes, before) {
  for (const endMs = Date.now() + backWithinMs; outcomes.grants.length <= before; await sleep(10))
    if (Date.now() > endMs) throw new Finding(`nothing was charged for ${backWithinMs} ms`);
}

/** Compares the outcomes of buyers with the tables. */
class Checks {
  chain = new ReceiptChain();
  checkedGrants = 0;

  constructor(deployment, outcomes) {
    Object.assign(this, { deployment, outcomes });
  }

  /** Verifies the outcomes before this call. */
  async now() {
    const count = this.outcomes.grants.length;
    const grants = this.outcomes.grants.slice(this.checkedGrants, count);
    await this.deployment.readSnapshot(async (query) => {
      await this.chain.follow(query);
      await checkBalances(query);
      await checkGrants(query, grants, this.deployment.enclaveKey);
    });
    this.checkedGrants = count;
  }

  /** Verifies all outcomes from the beginning. */
  async all() {
    this.chain = new ReceiptChain();
    this.checkedGrants = 0;
    await this.now();
    const { grants, copies } = this.outcomes;
    return this.deployment.readSnapshot(async (query) => {
      const charged = await paymentsOf(query, copies);
      const free = copies.filter((id) => !['captured', 'voided'].includes(charged.get(id)?.state));
      if (free.length > 0) throw new Finding(`rejected as copies, but never charged: ${free.join()}`);
      const [{ count }] = await query(`SELECT count(*) FROM tee.payments WHERE state = 'captured'`);
      const notServed = Number(count) - grants.length;
      if (notServed > copies.length) throw new Finding(`${notServed} were charged without being served`);
      return { grants: grants.length, receipts: Number(this.chain.seq), copies: copies.length, notServed };
    });
  }
}

/** Returns equal numbers of each failure. In half of them, a second ledger process stands by. */
function failuresOf(kills) {
  const names = ['tee', 'takeover', 'pause', 'postgres', 'nanopay', 'handover'];
  return Array.from({ length: kills }, (_, index) => names[index % names.length]);
}

const shuffled = (list, random) =>
  list
    .map((item) => ({ item, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
