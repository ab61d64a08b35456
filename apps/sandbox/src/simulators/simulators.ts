import type { Clock, Database } from '@tollbridge/data';
import { findChain } from '@tollbridge/chains';
import fastify, { type FastifyInstance } from 'fastify';
import { registerDefiLlama } from '../defillama/defillama.routes';
import { Assets, type LocalTokens } from '../oneclick/assets';
import { Quotes } from '../oneclick/create-quote';
import { EvmNode } from '../oneclick/evm-node';
import { registerOneClick } from '../oneclick/oneclick.routes';
import type { Solver } from '../oneclick/payment-runner';
import { PaymentsRepository } from '../oneclick/payments.repository';
import { QuoteSigner } from '../oneclick/quote-signature';
import { SwapsRepository } from '../oneclick/swaps.repository';
import { SwapsWorker } from '../oneclick/swaps.worker';
import { PricesRepository } from '../prices/prices.repository';
import { Outage } from './outage';

export interface LocalChainOptions extends LocalTokens {
  rpcUrl: string;
  /** Blocks, the deposit's own included, before a deposit counts. */
  confirmations: number;
}

export interface SimulatorsOptions {
  database: Pick<Database, 'pool'>;
  clock: Clock;
  host: string;
  port: number;
  chains: readonly LocalChainOptions[];
  solver: Solver;
  pollIntervalMs: number;
  onError(error: unknown): void;
}

/** The prefix of each simulator on the one server. */
export const simulatorNames = ['oneclick', 'defillama'] as const;

/** One HTTP server with every provider simulator, and what works behind them. */
export class Simulators {
  readonly assets: Assets;
  readonly prices: PricesRepository;
  readonly swaps: SwapsRepository;
  readonly signer: QuoteSigner;
  readonly outage = new Outage();
  /** Known once it listens. */
  address = '';
  private readonly nodes: Map<string, EvmNode>;
  private readonly worker: SwapsWorker;
  private readonly server: FastifyInstance;

  constructor(private readonly options: SimulatorsOptions) {
    const { database, clock, chains } = options;
    const nodes = chains.map(({ chain: name, rpcUrl, confirmations }) => {
      const chain = findChain(name);
      if (!chain || chain.chainId === null)
        throw new Error(`${name} is not a chain that a local node can be`);
      return new EvmNode({ chain, rpcUrl, confirmations });
    });
    this.nodes = new Map(nodes.map((node) => [node.chain.id, node]));
    this.assets = new Assets(chains);
    this.prices = new PricesRepository(database);
    this.swaps = new SwapsRepository(database, this.assets);
    this.signer = new QuoteSigner();
    const parts = { ...options, ...this.shared(), payments: new PaymentsRepository(database), clock };
    this.worker = new SwapsWorker(parts);
    // A caller that keeps its connection must not hold up the stop.
    this.server = fastify({ forceCloseConnections: true, bodyLimit: 64 * 1024 });
    const quotes = new Quotes({ ...parts, signer: this.signer });
    const oneclick = { ...parts, quotes, outage: this.outage };
    void this.server.register(async (routes) => registerOneClick(routes, oneclick), { prefix: '/oneclick' });
    void this.server.register(async (routes) => registerDefiLlama(routes, parts), { prefix: '/defillama' });
  }

  private shared() {
    const { assets, prices, swaps, nodes } = this;
    return { assets, prices, swaps, nodes };
  }

  /** Answers the address under which the simulators lie. */
  async start(): Promise<string> {
    const { host, port } = this.options;
    this.address = await this.server.listen({ host, port });
    this.worker.start();
    return this.address;
  }

  async stop(): Promise<void> {
    await this.server.close();
    await this.worker.stop();
    for (const node of this.nodes.values()) node.close();
  }
}
