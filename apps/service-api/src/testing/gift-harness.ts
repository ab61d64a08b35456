import { AnyCaller } from '@tollbridge/contracts';
import type { Reloadly } from '@tollbridge/app-sandbox';
import {
  BusClient,
  BusConnection,
  callContext,
  DomainError,
  keyPrincipal,
  type BusOperation,
  type CallContext,
} from '@tollbridge/rpc';
import type { Database } from '@tollbridge/database';
import type { RunningService } from '@tollbridge/bootstrap';
import {
  ManualClock,
  startFakeService,
  recordEvents,
  startNats,
  type EventRecorder,
  type FreshDatabase,
  type NatsServer,
  type FakeService,
  testConnections,
} from '@tollbridge/testing';
import { start } from '../start';
import { reloadlySettings, startReloadly } from './reloadly-simulator';
import { migratedDatabase } from './migrated-database';

/** The wallet of the default key. */
export const owner = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

/**
 * The service API with a simulated Reloadly, NATS, and a fake merchant app for budgets. PostgreSQL has the rights of
 * the runtime role. All calls use the bus.
 */
export class GiftHarness {
  readonly clock = new ManualClock();
  readonly apps: RunningService[] = [];
  database: FreshDatabase;
  nats: NatsServer;
  simulator: Reloadly;
  /** The database of the provider simulator. */
  provider: Database;
  simulatorUrl: string;
  events: EventRecorder;
  /** Fake merchant app. Its default answer allows every spend. */
  budgets: FakeService;
  client: BusClient;
  private readonly closers: (() => unknown)[] = [];

  private constructor(private readonly settings: NodeJS.ProcessEnv) {}

  /** @param settings of all instances, in addition to those of the harness */
  static async start(settings: NodeJS.ProcessEnv = {}): Promise<GiftHarness> {
    const harness = new GiftHarness(settings);
    try {
      await harness.open();
      return harness;
    } catch (error) {
      await harness.close();
      throw error;
    }
  }

  private async open(): Promise<void> {
    process.env['LOG_LEVEL'] ??= 'silent';
    const opening = [
      this.track(migratedDatabase(), (it) => it.drop()).then((it) => (this.database = it)),
      this.track(startNats(), (it) => it.remove()).then((it) => (this.nats = it)),
      this.startProvider(),
    ];
    // Waits for all, even when one fails, so that `close` also closes those that opened.
    await Promise.allSettled(opening);
    await Promise.all(opening);
    const bus = await this.track(BusConnection.open({ app: 'test-caller', url: this.nats.url }), (it) =>
      it.close(),
    );
    this.client = new BusClient(bus, new AnyCaller());
    this.closers.push(() => this.client.close());
    const allow = () => ({ output: { status: 'reserved' } });
    this.budgets = await this.track(startFakeService(this.nats.url, 'op.merchant.budgets.*', allow), (it) =>
      it.close(),
    );
    await this.startApp();
    this.events = await recordEvents(this.nats.url, 'SERVICE_API');
    this.closers.push(() => this.events.stop());
  }

  private async track<T>(opening: Promise<T>, close: (opened: T) => unknown): Promise<T> {
    const opened = await opening;
    this.closers.push(() => close(opened));
    return opened;
  }

  private async startProvider(): Promise<void> {
    const running = await this.track(startReloadly(this.clock), (it) => it.close());
    this.simulator = running.simulator;
    this.provider = running.database;
    this.simulatorUrl = running.url;
  }

  /** Starts one more instance of the app on the same database and bus. */
  async startApp(settings: NodeJS.ProcessEnv = {}): Promise<RunningService> {
    const app = await start({ ...this.environment(), ...settings }, { clock: this.clock });
    this.apps.push(app);
    return app;
  }

  /** Settings of an instance. */
  environment(): NodeJS.ProcessEnv {
    return {
      TOLLBRIDGE_ENV: 'sandbox',
      SERVICE_API_NATS_URL: this.nats.url,
      SERVICE_API_DATABASE_URL: this.database.runtimeUrl,
      SERVICE_API_DATABASE_CONNECTIONS: testConnections,
      SERVICE_API_MANAGEMENT_PORT_NUMBER: '0',
      ...reloadlySettings(`${this.simulatorUrl}/reloadly`),
      ...this.settings,
    };
  }

  async stopApps(): Promise<void> {
    await Promise.all(this.apps.splice(0).map((app) => app.close()));
  }

  async close(): Promise<void> {
    await this.stopApps();
    for (const close of this.closers.splice(0).reverse()) await close();
  }

  context(as = owner): CallContext {
    return callContext({ principal: keyPrincipal(keyId, as) });
  }

  call<I, O>(operation: BusOperation<I, O>, input: I, idempotencyKey?: string, as = owner): Promise<O> {
    const context = this.context(as);
    return this.client.call(operation, input, idempotencyKey ? { ...context, idempotencyKey } : context);
  }

  /** Returns the error of a call that is expected to fail. */
  async failureOf(operation: BusOperation<any, any>, input: unknown): Promise<DomainError> {
    const outcome: unknown = await this.call(operation, input).catch((error: unknown) => error);
    if (outcome instanceof DomainError) return outcome;
    throw new Error(`${operation.subject} did not fail but returned ${JSON.stringify(outcome)}`);
  }

  /** Returns the number of transactions in the provider's database. */
  async bought(): Promise<number> {
    const { rows } = await this.provider.pool.query<{ count: string }>(
      'SELECT count(*) FROM reloadly_transactions',
    );
    return Number(rows[0]!.count);
  }

  /** The number of purchase requests that the provider received. */
  get purchaseRequests(): number {
    const routes = ['giftcards/orders', 'topups/topups', 'utilities/pay'];
    return routes.reduce((sum, route) => sum + (this.simulator.asked.get(`POST /reloadly/${route}`) ?? 0), 0);
  }
}

export const keyId = '0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d';
