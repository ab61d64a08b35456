// The loads of several chain families on one deployment.
import { ClickLoad } from './click-load.mjs';
import { Holdings, evmNetwork } from './holdings.mjs';
import { OrderLoad } from './load.mjs';
import { NetworkLoad } from './network-load.mjs';

// Number of EVM clients alone, and together with other families, which start a process per payment.
const [evmClients, fewEvmClients] = [16, 4];
const figuresOfOrders = `SELECT count(*)::int AS orders, count(*) FILTER (WHERE status = 'settled')::int AS settled,
    count(*) FILTER (WHERE status = 'failed')::int AS failed
  FROM pay_orders.orders WHERE pay_chain = $1`;

/** Creates and pays orders of each family until `untilPaid`. */
export class FamilyLoads {
  /** @param {import('./deployment.mjs').KilledDeployment} deployment @param {string[]} families */
  static async start(deployment, families) {
    const loads = new FamilyLoads();
    loads.deployment = deployment;
    const hasOthers = families.some((family) => family !== 'evm');
    loads.sandbox = await (await fetch(`${deployment.gateway}/sandbox`)).json();
    const networks = loads.sandbox.networks.filter(({ family }) => families.includes(family));
    const hasEvm = families.includes('evm');
    if (hasEvm) networks.unshift(evmNetwork(loads.sandbox));
    loads.holdings = [];
    for (const network of networks) loads.holdings.push(await Holdings.of(network));
    loads.evm = await OrderLoad.start(deployment, !hasEvm ? 0 : hasOthers ? fewEvmClients : evmClients);
    loads.others = networks
      .filter(({ family }) => family !== 'evm')
      .map((network) => new NetworkLoad(deployment, loads.sandbox, network));
    // The payer of the EVM chain also pays requests in concurrently clicked tabs.
    if (hasEvm) loads.others.push(new ClickLoad(deployment, loads.evm));
    for (const load of loads.others) load.start();
    return loads;
  }

  get wallet() {
    return this.evm.wallet;
  }

  get acknowledged() {
    return new Set(this.#all.flatMap(({ acknowledged }) => [...acknowledged]));
  }

  get paid() {
    return new Set(this.#all.flatMap(({ paid }) => [...paid]));
  }

  get failures() {
    return this.#all.reduce((sum, load) => sum + load.failures, 0);
  }

  get #all() {
    return [this.evm, ...this.others];
  }

  /** Returns the orders and payments so far, by family. */
  summary() {
    const parts = this.#all.map(
      (load) => `${load.family ?? 'evm'} ${load.paid.size}/${load.acknowledged.size}`,
    );
    return `paid orders: ${parts.join(', ')}`;
  }

  /** Stops creating orders. Resolves when every paid order is settled and the receivers have exactly these amounts. */
  async untilPaid() {
    await Promise.all(this.others.map((load) => load.stop()));
    await this.evm.untilPaid(this.others.flatMap(({ paid }) => [...paid]));
    for (const holdings of this.holdings) await holdings.expectGained(this.deployment);
  }

  /** @returns {Promise<Record<string, object>>} figures by family */
  async figures() {
    const entries = this.holdings.map(async ({ network: { family, chain } }) => {
      const load = family === 'evm' ? this.evm : this.others.find((each) => each.family === family);
      const [{ failed, ...stored }] = await this.deployment.query(figuresOfOrders, [chain]);
      const { paid, unknown = new Set(), failures } = load;
      if (paid.size === 0) throw new Error(`no order was paid on ${chain}`);
      // Every submitted hash is the hash of a real payment.
      if (failed > 0) throw new Error(`${failed} orders failed on ${chain}`);
      return [family, { ...stored, paid: paid.size, unknown: unknown.size, failures }];
    });
    const clicks = this.others.filter((load) => load instanceof ClickLoad).map((load) => load.figures());
    return Object.fromEntries([...(await Promise.all(entries)), ...clicks]);
  }

  /** Returns the errors of payers without an outcome for the log, each with its count. */
  problems() {
    return this.others.flatMap(({ family, problems = new Map() }) =>
      [...problems].map(([problem, count]) => `${family}: ${count} payers ended with ${problem}`),
    );
  }

  async stop() {
    await Promise.allSettled(this.#all.map((load) => load.stop()));
  }
}
