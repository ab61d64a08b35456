import {
  AnyCaller,
  ordersApi,
  type CreateOrderReply,
  type CreateOrderRequest,
  type ErrorCode,
  type OrderReply,
} from '@tollbridge/contracts';
import {
  BusClient,
  BusConnection,
  DomainError,
  type BusOperation,
  type CallContext,
  type Operation,
} from '@tollbridge/rpc';
import type { DeploymentEntry } from '@tollbridge/chains';
import type { Clock } from '@tollbridge/database';
import type { RunningService } from '@tollbridge/bootstrap';
import { startOneClick, type RunningOneClick } from '@tollbridge/app-sandbox';
import { deployLocalChain, type LocalChain } from '@tollbridge/local-chain';
import {
  eventually,
  freshDatabase,
  startFakeService,
  recordEvents,
  startAnvil,
  startNats,
  withoutRepeatedSettling,
  type EventRecorder,
  type FreshDatabase,
  type NatsServer,
  type FakeService,
  testConnections,
} from '@tollbridge/testing';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { start } from '../start';
import { migratedDatabase } from './migrated-database';
import { migrateSandbox } from '@tollbridge/app-sandbox';

export interface HarnessOptions {
  clock?: Clock;
  /** The lifetime of an unpaid order in seconds. */
  lifetimeSeconds?: number;
  confirmations?: number;
  /** RPC URLs that replace the chain's own node, for tests of failing nodes. */
  rpcUrls?: (chain: LocalChain) => Promise<string[]>;
  /** The addresses of earlier payment contracts. */
  formerPayContracts?: (chain: LocalChain) => Promise<string[]>;
  /** The number of instances at the start; one by default. */
  instances?: number;
  /** Another chain that is watched as well. */
  otherChainId?: number;
  /** The route provider's simulator, on both chains; `down` configures a URL without a server. */
  routes?: 'simulated' | 'down';
  /** Adds a proxy between the app and the route provider. */
  routesThrough?: (url: string) => Promise<{ url: string; close(): unknown }>;
  /** Further entries of `CHAINS_FILE`. */
  moreChains?: readonly DeploymentEntry[];
  /** Settings of the app that replace the test's usual ones. */
  settings?: NodeJS.ProcessEnv;
  /** Entries of a `BALANCES_FILE`, which replace the chains' own nodes. */
  balanceSources?: (harness: PayOrders) => Promise<object[]>;
}

export const baseChainId = 8453;
export const merchant = '0x1111111111111111111111111111111111111111';
export const feeReceiver = '0x2222222222222222222222222222222222222222';

/**
 * Runs pay-orders as in production, but in this process. It has PostgreSQL with the rights of the runtime role, NATS,
 * and an EVM node with the real contracts. Tests call it over the bus.
 */
export class PayOrders {
  readonly apps: RunningService[] = [];
  chain: LocalChain;
  otherChain: LocalChain | undefined;
  database: FreshDatabase;
  nats: NatsServer;
  /** The simulator of the route provider. */
  oneClick: RunningOneClick;
  /** All events on the app's stream. */
  events: EventRecorder;
  /** A fake of the merchant app's budgets, which reserves every amount unless a test configures it. */
  budgets: FakeService;
  private client: BusClient;
  private routesUrl: string;
  /** The simulator's own database. */
  routesDatabase: FreshDatabase | undefined;
  private readonly folder = mkdtempSync(join(tmpdir(), 'tollbridge-pay-orders-'));
  /** In the order of opening, and closed in reverse order. */
  private readonly closers: (() => unknown)[] = [];
  private closing: Promise<void> | undefined;

  private constructor(private readonly options: HarnessOptions) {}

  static async start(options: HarnessOptions = {}): Promise<PayOrders> {
    const harness = new PayOrders(options);
    try {
      await harness.open();
      return harness;
    } catch (error) {
      // Running servers would keep the test process alive.
      await harness.close();
      throw error;
    }
  }

  private async open(): Promise<void> {
    const { otherChainId, instances = 1 } = this.options;
    this.closers.push(() => rmSync(this.folder, { recursive: true, force: true }));
    const opening = [
      this.closeLater(migratedDatabase(), (it) => it.drop()).then((it) => (this.database = it)),
      this.closeLater(startNats(), (it) => it.remove()).then((it) => (this.nats = it)),
      this.startChain(baseChainId).then((it) => (this.chain = it)),
      ...(otherChainId ? [this.startChain(otherChainId).then((it) => (this.otherChain = it))] : []),
    ];
    // Waits for all, even when one fails, so that the opened ones are closed.
    await Promise.allSettled(opening);
    await Promise.all(opening);
    await this.writeChainsFile();
    await this.writeBalancesFile();
    if (this.options.routes === 'simulated') await this.startRoutes();
    const bus = await this.closeLater(BusConnection.open({ app: 'test-caller', url: this.nats.url }), (it) =>
      it.close(),
    );
    this.client = new BusClient(bus, new AnyCaller());
    this.closers.push(() => this.client.close());
    const allow = () => ({ output: { status: 'reserved' } });
    this.budgets = await this.closeLater(
      startFakeService(this.nats.url, 'op.merchant.budgets.*', allow),
      (it) => it.close(),
    );
    for (let instance = 0; instance < instances; instance++) await this.startApp();
    this.events = await recordEvents(this.nats.url, 'PAY_ORDERS');
    this.closers.push(() => this.events.stop());
  }

  private async closeLater<T>(opening: Promise<T>, close: (opened: T) => unknown): Promise<T> {
    const opened = await opening;
    this.closers.push(() => close(opened));
    return opened;
  }

  private async startChain(chainId: number): Promise<LocalChain> {
    return deployLocalChain(await this.closeLater(startAnvil({ chainId }), (it) => it.stop()));
  }

  /** Starts a simulator that moves money between the two chains. */
  async startRoutes(): Promise<void> {
    this.routesDatabase ??= await this.closeLater(freshDatabase('sandbox', migrateSandbox), (it) =>
      it.drop(),
    );
    const { clock, confirmations = 3 } = this.options;
    const chains = [this.chain, this.otherChain].flatMap((chain) => (chain ? [chain] : []));
    this.oneClick = await startOneClick({
      database: this.routesDatabase,
      chains: chains.map((chain) => {
        const { chain: id, rpcUrls, tokens } = chain.deployment({});
        return { chain: id, rpcUrl: rpcUrls[0]!, tokens, confirmations };
      }),
      solver: this.chain.solver,
      ...(clock && { clock }),
      onError: (error) => process.stderr.write(String((error as Error).stack) + '\n'),
    });
    const { oneClick } = this;
    this.closers.push(() => oneClick.close());
    const { routesThrough } = this.options;
    this.routesUrl = oneClick.url;
    if (routesThrough)
      this.routesUrl = (await this.closeLater(routesThrough(oneClick.url), (it) => it.close())).url;
  }

  private get chainsFile(): string {
    return join(this.folder, 'chains.json');
  }

  private get balancesFile(): string {
    return join(this.folder, 'balances.json');
  }

  /** Starts another instance of the app on the same database, chain and bus. */
  async startApp(settings: NodeJS.ProcessEnv = {}): Promise<RunningService> {
    // Many tests provoke failures, and their log would hide the results.
    process.env['LOG_LEVEL'] ??= 'silent';
    const env = {
      TOLLBRIDGE_ENV: 'sandbox',
      PAY_ORDERS_NATS_URL: this.nats.url,
      PAY_ORDERS_DATABASE_URL: this.database.runtimeUrl,
      PAY_ORDERS_DATABASE_CONNECTIONS: testConnections,
      PAY_ORDERS_MANAGEMENT_PORT_NUMBER: '0',
      PAY_ORDERS_LIFETIME_SECONDS: String(this.options.lifetimeSeconds ?? 1_800),
      CHAINS_FILE: this.chainsFile,
      ...(this.options.balanceSources && { BALANCES_FILE: this.balancesFile }),
      ...this.routeSettings(),
      ...this.options.settings,
      ...settings,
    };
    const { clock } = this.options;
    const app = await start(env, clock ? { clock } : {});
    this.apps.push(app);
    return app;
  }

  private routeSettings(): NodeJS.ProcessEnv {
    const { routes } = this.options;
    if (routes === undefined) return {};
    // No server listens on port 1.
    if (routes === 'down') return { ONECLICK_URL: 'http://127.0.0.1:1' };
    return {
      ONECLICK_URL: this.routesUrl,
      DEFILLAMA_URL: this.oneClick.defillamaUrl,
      PAY_ORDERS_DEPOSIT_POLL_MS: '50',
      PAY_ORDERS_PROBE_EVERY_MS: '0',
    };
  }

  /** Restarts the app with other settings. */
  async restartApp(settings: NodeJS.ProcessEnv = {}): Promise<RunningService> {
    await this.stopApps();
    return this.startApp(settings);
  }

  async stopApps(): Promise<void> {
    await Promise.all(this.apps.splice(0).map((app) => app.close()));
  }

  close(): Promise<void> {
    return (this.closing ??= this.closeAll());
  }

  private async closeAll(): Promise<void> {
    await this.stopApps();
    for (const close of this.closers.reverse()) await close();
  }

  call<I, O>(operation: BusOperation<I, O>, input: I, context?: CallContext): Promise<O> {
    return this.client.call(operation, input, context);
  }

  /** The error reply to an input of any type, because a client may send anything. */
  async failureOf(operation: Operation<any, any>, input: unknown): Promise<DomainError> {
    const outcome: unknown = await this.client.call(operation, input).catch((error: unknown) => error);
    if (outcome instanceof DomainError) return outcome;
    throw new Error(`${operation.name} was not rejected but returned ${JSON.stringify(outcome)}`);
  }

  /** A valid request for 100 USDC and a fee of 0.5 USDC. */
  request(changes: Partial<CreateOrderRequest> = {}): CreateOrderRequest {
    return {
      pay_blockchain: this.chain.id,
      pay_token: 'USDC',
      settle_chain: this.chain.id,
      settle_token: 'USDC',
      merchant_address: merchant,
      merchant_amount: '100000000',
      fee_receiver: feeReceiver,
      fee_amount: '500000',
      merchant_id: 'merchant-1',
      payer_address: this.chain.payer.address,
      ...changes,
    };
  }

  createOrder(changes: Partial<CreateOrderRequest> = {}, context?: CallContext): Promise<CreateOrderReply> {
    return this.call(ordersApi.operations.createOrder, this.request(changes), context);
  }

  getOrder(id: string): Promise<OrderReply> {
    return this.call(ordersApi.operations.getOrder, { id });
  }

  /** `settling`, or the error code of a rejected report. */
  async report(id: string, txHash: string): Promise<'settling' | ErrorCode> {
    return this.call(ordersApi.operations.reportTransaction, { id, tx_hash: txHash }).then(
      ({ status }) => status,
      (error: DomainError) => error.code,
    );
  }

  /** Resolves with the order when it matches. */
  orderWith(id: string, expected: Partial<OrderReply>, timeoutMs?: number): Promise<OrderReply> {
    return eventually(
      async () => {
        const order = await this.getOrder(id);
        expect(order).toMatchObject(expected);
        return order;
      },
      timeoutMs === undefined ? {} : { timeoutMs },
    );
  }

  /** Resolves when the watcher has read the chain up to its current head. */
  async caughtUp({ anvil, id }: LocalChain = this.chain): Promise<void> {
    const head = await anvil.provider.getBlock('latest');
    await eventually(async () => {
      const blocks = await this.database.query<{ hash: string }>(
        'SELECT hash FROM chain_blocks WHERE chain = $1 ORDER BY height DESC LIMIT 1',
        [id],
      );
      expect(blocks).toEqual([{ hash: head!.hash }]);
    });
  }

  /** Resolves after the reported transaction of an order was verified at the current time of the clock. */
  async reportVerified(id: string): Promise<void> {
    const nowMs = this.options.clock?.now() ?? Date.now();
    await eventually(async () => {
      const [order] = await this.database.query<{ judge_at: Date }>(
        'SELECT judge_at FROM orders WHERE id = $1',
        [id],
      );
      expect(order!.judge_at.getTime()).toBeGreaterThan(nowMs);
    });
  }

  /**
   * The event types of an order, with consecutive `order-settling` events as one. Waits until the stream equals the
   * outbox.
   */
  eventsOf(id: string): Promise<string[]> {
    return eventually(async () => {
      const written = await this.database.query<{ type: string }>(
        `SELECT payload->>'type' AS type FROM outbox WHERE aggregate_id = $1 ORDER BY seq`,
        [id],
      );
      const types = written.map(({ type }) => type);
      expect(this.events.typesOf(id)).toEqual(types);
      return withoutRepeatedSettling(types);
    });
  }

  private async writeBalancesFile(): Promise<void> {
    const { balanceSources } = this.options;
    if (balanceSources)
      writeFileSync(this.balancesFile, JSON.stringify({ sources: await balanceSources(this) }));
  }

  private async writeChainsFile(): Promise<void> {
    const { confirmations = 3, rpcUrls, formerPayContracts, moreChains = [] } = this.options;
    const changes = {
      ...(rpcUrls && { rpcUrls: await rpcUrls(this.chain) }),
      ...(formerPayContracts && { formerPayContracts: await formerPayContracts(this.chain) }),
    };
    const entries = [
      this.chain.deployment({ confirmations, ...changes }),
      ...(this.otherChain ? [this.otherChain.deployment({ confirmations })] : []),
      ...moreChains,
    ];
    writeFileSync(this.chainsFile, JSON.stringify({ chains: entries }));
  }
}
