import {
  ordersApi,
  type CreateOrderReply,
  type CreateOrderRequest,
  type ErrorCode,
  type OrderReply,
} from '@tollbridge/api';
import { BusClient, BusConnection, DomainError, type CallContext, type Operation } from '@tollbridge/bus';
import { migrate, type Clock } from '@tollbridge/data';
import type { RunningService } from '@tollbridge/service';
import {
  deployLocalChain,
  eventually,
  freshDatabase,
  recordEvents,
  startAnvil,
  startNats,
  type EventRecorder,
  type FreshDatabase,
  type LocalChain,
  type NatsServer,
} from '@tollbridge/testing';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrations } from '../migrations';
import { start } from '../start';

export interface WorldOptions {
  clock?: Clock;
  /** Seconds that an order waits for its payment. */
  lifetimeSeconds?: number;
  confirmations?: number;
  /** RPC URLs of the chain instead of its own node's, for tests of bad nodes. */
  rpcUrls?: (chain: LocalChain) => string[];
  /** How many instances of the app run from the start; one unless said otherwise. */
  instances?: number;
}

export const baseChainId = 8453;
export const merchant = '0x1111111111111111111111111111111111111111';
export const feeReceiver = '0x2222222222222222222222222222222222222222';

/**
 * pay-orders as it runs in production, in this process: a PostgreSQL database with the runtime role's rights, a NATS
 * server, an EVM node with the real contracts. Everything is asked over the bus.
 */
export class PayOrders {
  readonly apps: RunningService[] = [];
  /** Everything on the app's stream. */
  events: EventRecorder;

  private constructor(
    readonly chain: LocalChain,
    readonly database: FreshDatabase,
    readonly nats: NatsServer,
    private readonly bus: BusConnection,
    private readonly client: BusClient,
    private readonly folder: string,
    private readonly options: WorldOptions,
  ) {}

  static async start(options: WorldOptions = {}): Promise<PayOrders> {
    const folder = mkdtempSync(join(tmpdir(), 'tollbridge-pay-orders-'));
    const [database, nats, chain] = await Promise.all([
      freshDatabase('pay_orders'),
      startNats(),
      startAnvil({ chainId: baseChainId }).then(deployLocalChain),
    ]);
    await migrate({ app: 'pay-orders', url: database.ownerUrl, migrations });
    const bus = await BusConnection.open({ app: 'test-caller', url: nats.url });
    const world = new PayOrders(chain, database, nats, bus, new BusClient(bus), folder, options);
    world.writeChainsFile();
    for (let instance = 0; instance < (options.instances ?? 1); instance++) await world.startApp();
    world.events = await recordEvents(nats.url, 'PAY_ORDERS');
    return world;
  }

  /** Starts one more instance of the app on the same database, chain and bus. */
  async startApp(): Promise<RunningService> {
    process.env['LOG_LEVEL'] ??= 'silent';
    const env = {
      PAY_ORDERS_NATS_URL: this.nats.url,
      PAY_ORDERS_DATABASE_URL: this.database.runtimeUrl,
      PAY_ORDERS_MANAGEMENT_PORT: '0',
      PAY_ORDERS_LIFETIME_SECONDS: String(this.options.lifetimeSeconds ?? 1_800),
      CHAINS_FILE: join(this.folder, 'chains.json'),
    };
    const { clock } = this.options;
    const app = await start(env, clock ? { clock } : {});
    this.apps.push(app);
    return app;
  }

  async stopApps(): Promise<void> {
    await Promise.all(this.apps.splice(0).map((app) => app.close()));
  }

  async close(): Promise<void> {
    await this.stopApps();
    this.client.close();
    await Promise.all([this.bus.close(), this.events.stop()]);
    await Promise.all([this.nats.remove(), this.chain.anvil.stop(), this.database.drop()]);
    rmSync(this.folder, { recursive: true, force: true });
  }

  call<I, O>(operation: Operation<I, O>, input: I, context?: CallContext): Promise<O> {
    return this.client.call(operation, input, context);
  }

  /** The failure that an input is answered with, whatever its type: what a stranger may send is not typed either. */
  async failureOf(operation: Operation<any, any>, input: unknown): Promise<DomainError> {
    const outcome: unknown = await this.client.call(operation, input).catch((error: unknown) => error);
    if (outcome instanceof DomainError) return outcome;
    throw new Error(`${operation.name} was not refused but answered ${JSON.stringify(outcome)}`);
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

  /** `settling`, or the code with which the report was refused. */
  async report(id: string, txHash: string): Promise<'settling' | ErrorCode> {
    return this.call(ordersApi.operations.reportTransaction, { id, tx_hash: txHash }).then(
      ({ status }) => status,
      (error: DomainError) => error.code,
    );
  }

  /** Resolves with the order once it stands as expected. */
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

  /** Resolves when the watcher has read the chain to its present end. */
  async caughtUp(): Promise<void> {
    const { anvil, id } = this.chain;
    const head = await anvil.provider.getBlock('latest');
    await eventually(async () => {
      const blocks = await this.database.query<{ hash: string }>(
        'SELECT hash FROM chain_blocks WHERE chain = $1 ORDER BY height DESC LIMIT 1',
        [id],
      );
      expect(blocks).toEqual([{ hash: head!.hash }]);
    });
  }

  /** Resolves with the types of an order's events, in their order, once there are as many as expected. */
  eventsOf(id: string, count: number): Promise<string[]> {
    return eventually(() => {
      const types = this.events.typesOf(id);
      expect(types.length).toBeGreaterThanOrEqual(count);
      return types;
    });
  }

  private writeChainsFile(): void {
    const { confirmations = 3, rpcUrls } = this.options;
    const entry = this.chain.deployment({
      confirmations,
      ...(rpcUrls && { rpcUrls: rpcUrls(this.chain) }),
    });
    writeFileSync(join(this.folder, 'chains.json'), JSON.stringify({ chains: [entry] }));
  }
}
