import type { OutageProvider } from '@tollbridge/contracts';
import type { Clock, Database, Leases } from '@tollbridge/database';
import { findChain, type UniswapV3Contracts } from '@tollbridge/chains';
import type { AcrossContracts } from '@tollbridge/local-contracts';
import fastify, { type FastifyInstance } from 'fastify';
import { registerAcross } from '../across/across.routes';
import { Approvals } from '../across/approvals';
import { DepositFollower } from '../across/deposit-follower';
import { DepositsRepository } from '../across/deposits.repository';
import { Relayer } from '../across/relayer';
import { registerDefiLlama } from '../defillama/defillama.routes';
import { registerLifi } from '../lifi/lifi.routes';
import { LifiSteps } from '../lifi/lifi-steps';
import { Market, type Markets } from '../markets/market';
import type { NetworkName } from '../config';
import { networkAdapters } from '../networks/networks';
import type { NetworkTreasury } from '../networks/network-treasury';
import { Assets, type LocalTokens } from '../oneclick/assets';
import { Quotes } from '../oneclick/create-quote';
import { EvmNode } from '../oneclick/evm-node';
import { NetworkDepositWatcher } from '../oneclick/network-deposit-watcher';
import { registerOneClick } from '../oneclick/oneclick.routes';
import type { Solver } from '../oneclick/payment-runner';
import { PaymentsRepository } from '../oneclick/payments.repository';
import { QuoteSigner } from '../oneclick/quote-signature';
import { SwapsRepository } from '../oneclick/swaps.repository';
import { SwapsWorker } from '../oneclick/swaps.worker';
import { PricesRepository } from '../prices/prices.repository';
import { RateTable } from '../rates/rate-table';
import type { TonSimulator } from '../ton/ton.simulator';
import { Outage } from './outage';
import type { RequestRates } from './request-rate';
import {
  registerServices,
  serviceSimulators,
  treasuriesOf,
  type ServiceSimulators,
} from './service-simulators';

export interface LocalChainOptions extends LocalTokens {
  rpcUrl: string;
  /** Confirmations before a deposit counts, including its own block. */
  confirmations: number;
  /** Without exchange and bridge contracts, the chain has no swaps. */
  uniswapV3?: UniswapV3Contracts;
  /** The solver is the owner of the spoke pool. */
  across?: AcrossContracts;
}

export interface SimulatorsOptions {
  database: Pick<Database, 'pool'>;
  leases: Leases;
  clock: Clock;
  host: string;
  port: number;
  chains: readonly LocalChainOptions[];
  /** Local networks in addition to the chains, with their tokens. The route provider pays from their treasuries. */
  networks?: readonly LocalTokens[] | undefined;
  solver: Solver;
  pollIntervalMs: number;
  /** Public base URL of the simulators. The default is the address that they listen on. */
  publicUrl?: string;
  /** SMTP port. The default is any free port. */
  smtpPort?: number;
  /** Base URL for webhooks of the service simulators. */
  hooksUrl?: string | undefined;
  /** Requests per second that the mail providers allow. */
  requestRates?: RequestRates | undefined;
  /** TON account that receives deposits of nano-payments. */
  nanopayDepositAddress?: string | undefined;
  /** URL of the EVM node of the local Tron network. */
  tronNodeUrl?: string | undefined;
  onError(error: unknown): void;
}

/** Path of each simulator on the shared server, which replaces the provider's base URL. */
export const simulatorPaths = {
  oneclick: '/oneclick',
  defillama: '/defillama',
  ecb: '/ecb',
  openexchangerates: '/openexchangerates',
  across: '/across',
  lifi: '/lifi/v1',
  // The JSON-RPC path, which is the base URL of TON clients.
  toncenter: '/toncenter/api/v2/jsonRPC',
  solana: '/solana',
  tron: '/tron',
  sui: '/sui/graphql',
} as const;

/** A request to these paths may have started a swap. Clients poll prices and TON continuously. */
const swapPaths = [simulatorPaths.oneclick, simulatorPaths.across, '/lifi/'];

/** HTTP server of all provider simulators, with their background work. */
export class Simulators {
  readonly assets: Assets;
  readonly prices: PricesRepository;
  readonly rates: RateTable;
  readonly swaps: SwapsRepository;
  readonly signer: QuoteSigner;
  readonly outages = { oneclick: new Outage(), across: new Outage(), lifi: new Outage() };
  /** Available after the server listens. */
  address = '';
  readonly treasuries: ReadonlyMap<string, NetworkTreasury>;
  private readonly nodes: Map<string, EvmNode>;
  private readonly markets: Markets;
  private readonly worker: SwapsWorker;
  private readonly services: ServiceSimulators;
  private readonly server: FastifyInstance;

  constructor(private readonly options: SimulatorsOptions) {
    const { database, chains, networks = [] } = options;
    const nodes = chains.map(({ chain: name, rpcUrl, confirmations }) => {
      const chain = findChain(name);
      if (!chain || chain.chainId === null)
        throw new Error(`${name} is not a chain that a local node can simulate`);
      return new EvmNode({ chain, rpcUrl, confirmations });
    });
    this.nodes = new Map(nodes.map((node) => [node.chain.id, node]));
    this.assets = new Assets([...chains, ...networks]);
    this.prices = new PricesRepository(database);
    this.rates = new RateTable(options.clock);
    this.swaps = new SwapsRepository(database, this.assets);
    this.signer = new QuoteSigner();
    this.markets = new Map(chains.flatMap((it, index) => marketOf(it, nodes[index]!)));
    const deposits = new DepositsRepository(database);
    const payments = new PaymentsRepository(database);
    const shared = { ...options, ...this.shared(), deposits, payments };
    const relayer = new Relayer(shared);
    const followers = [...this.markets.values()].map((market) => new DepositFollower({ ...shared, market }));
    const lease = options.leases.candidate('swaps');
    const publicUrl = (): string => options.publicUrl ?? this.address;
    const smtp = { host: options.host, port: options.smtpPort ?? 0 };
    this.services = serviceSimulators({ ...options, rates: this.rates, publicUrl, smtp });
    this.treasuries = treasuriesOf(
      this.services,
      networks.map(({ chain }) => chain),
    );
    const bridge = [...followers, relayer];
    this.worker = new SwapsWorker({ ...shared, treasuries: this.treasuries, lease, relayer, bridge });
    // Open keep-alive connections must not delay the stop.
    this.server = fastify({ forceCloseConnections: true, bodyLimit: 1024 * 1024 });
    this.server.addHook('onResponse', async ({ url, body }) => {
      if (mayBeginSwap(url, body)) this.worker.wake();
    });
    this.register(shared);
  }

  private register(
    parts: SimulatorsOptions &
      ReturnType<Simulators['shared']> & { deposits: DepositsRepository; payments: PaymentsRepository },
  ): void {
    const { outages, server } = this;
    const quotes = new Quotes({ ...parts, signer: this.signer });
    const oneclick = { ...parts, quotes, outage: outages.oneclick };
    const approvals = new Approvals({ ...parts, relayer: parts.solver });
    const across = { ...parts, approvals, outage: outages.across };
    const lifi = { ...parts, steps: new LifiSteps({ ...parts, approvals }), outage: outages.lifi };
    void server.register(async (routes) => registerOneClick(routes, oneclick), {
      prefix: simulatorPaths.oneclick,
    });
    void server.register(async (routes) => registerDefiLlama(routes, parts), {
      prefix: simulatorPaths.defillama,
    });
    void server.register(async (routes) => registerAcross(routes, across), { prefix: simulatorPaths.across });
    void server.register(async (routes) => registerLifi(routes, lifi), { prefix: simulatorPaths.lifi });
    registerServices(server, this.services);
  }

  private shared() {
    const { assets, prices, swaps, nodes, markets } = this;
    return { assets, prices, swaps, nodes, markets };
  }

  outageOf(provider: OutageProvider): Outage {
    return provider in this.services
      ? this.services[provider]!.outage
      : this.outages[provider as keyof Simulators['outages']];
  }

  get ton(): TonSimulator {
    return this.services.toncenter;
  }

  /** Starts listening and returns the base URL of the simulators. */
  async start(): Promise<string> {
    const { host, port } = this.options;
    this.address = await this.server.listen({ host, port });
    this.worker.start();
    for (const service of Object.values(this.services)) await service.start?.();
    const names = [...this.treasuries.keys()] as NetworkName[];
    for (const adapter of await networkAdapters(names, this.address))
      this.worker.watch(new NetworkDepositWatcher({ ...this.options, adapter, swaps: this.swaps }));
    return this.address;
  }

  async stop(): Promise<void> {
    await this.server.close();
    // The worker pays on the networks of the services, so it stops before them.
    await this.worker.stop();
    for (const service of Object.values(this.services)) await service.stop?.();
    for (const node of this.nodes.values()) node.close();
  }
}

/** Whether a request may start a swap. Previews and token lists, which clients poll continuously, do not. */
function mayBeginSwap(url: string, body: unknown): boolean {
  const isPreview = typeof body === 'object' && body !== null && (body as { dry?: unknown }).dry === true;
  return !isPreview && !url.endsWith('/tokens') && swapPaths.some((path) => url.startsWith(path));
}

function marketOf({ tokens, uniswapV3, across }: LocalChainOptions, node: EvmNode): [number, Market][] {
  if (!uniswapV3 || !across) return [];
  const market = new Market({ node, tokens, uniswap: uniswapV3, across });
  return [[market.chainId, market]];
}
