import { AnyCaller } from '@tollbridge/contracts';
import { reloadlyClient, startServiceSimulators, type Reloadly } from '@tollbridge/app-sandbox';
import {
  BusClient,
  BusConnection,
  callContext,
  DomainError,
  keyPrincipal,
  type BusOperation,
  type CallContext,
} from '@tollbridge/rpc';
import { Database, migrate } from '@tollbridge/database';
import type { RunningService } from '@tollbridge/bootstrap';
import {
  freshDatabase,
  ManualClock,
  startFakeService,
  recordEvents,
  startNats,
  type EventRecorder,
  type FreshDatabase,
  type NatsServer,
  type FakeService,
} from '@tollbridge/testing';
import { migrations } from '../migrations';
import { start } from '../start';

/** Whose key asks, unless a test says otherwise. */
export const owner = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

/**
 * The service API with the simulated provider of gift cards, airtime and bills: PostgreSQL with the runtime role's
 * rights, NATS, and a merchant app that the test plays. Everything is asked over the bus.
 */
export class GiftHarness {
  readonly clock = new ManualClock();
  readonly apps: RunningService[] = [];
  database: FreshDatabase;
  nats: NatsServer;
  simulator: Reloadly;
  /** The provider's records. */
  provider: Database;
  simulatorUrl: string;
  events: EventRecorder;
  /** Plays what the merchant app says of budgets: that everything may be spent, until a test says otherwise. */
  budgets: FakeService;
  client: BusClient;
  private readonly closers: (() => unknown)[] = [];

  static async start(settings: NodeJS.ProcessEnv = {}): Promise<GiftHarness> {
    const harness = new GiftHarness();
    try {
      await harness.open(settings);
      return harness;
    } catch (error) {
      await harness.close();
      throw error;
    }
  }

  private async open(settings: NodeJS.ProcessEnv): Promise<void> {
    process.env['LOG_LEVEL'] ??= 'silent';
    const opening = [
      this.keep(freshDatabase('service_api'), (it) => it.drop()).then((it) => (this.database = it)),
      this.keep(startNats(), (it) => it.remove()).then((it) => (this.nats = it)),
      this.startProvider(),
    ];
    // All of them, also when one fails: what did open has to be closed.
    await Promise.allSettled(opening);
    await Promise.all(opening);
    await migrate({ app: 'service-api', url: this.database.ownerUrl, migrations });
    const bus = await this.keep(BusConnection.open({ app: 'test-caller', url: this.nats.url }), (it) =>
      it.close(),
    );
    this.client = new BusClient(bus, new AnyCaller());
    this.closers.push(() => this.client.close());
    const allow = () => ({ output: { status: 'reserved' } });
    this.budgets = await this.keep(startFakeService(this.nats.url, 'op.merchant.budgets.*', allow), (it) =>
      it.close(),
    );
    await this.startApp(settings);
    this.events = await recordEvents(this.nats.url, 'SERVICE_API');
    this.closers.push(() => this.events.stop());
  }

  private async keep<T>(opening: Promise<T>, close: (opened: T) => unknown): Promise<T> {
    const opened = await opening;
    this.closers.push(() => close(opened));
    return opened;
  }

  private async startProvider(): Promise<void> {
    const { migrations: ofSandbox } = await import('@tollbridge/app-sandbox');
    const { ownerUrl, runtimeUrl } = await this.keep(freshDatabase('sandbox'), (it) => it.drop());
    await migrate({ app: 'sandbox', url: ownerUrl, migrations: ofSandbox });
    const onError = (error: unknown) => void process.stderr.write(`${String(error)}\n`);
    const opened = { app: 'sandbox', url: runtimeUrl, entities: [], maxConnections: 8, onError };
    this.provider = await this.keep(Database.open(opened), (it) => it.close());
    const { clock, provider: database } = this;
    const running = await this.keep(startServiceSimulators({ database, clock, onError }), (it) => it.close());
    this.simulator = running.simulators['reloadly'] as Reloadly;
    this.simulatorUrl = running.url;
  }

  /** Starts one more instance of the app on the same database and bus. */
  async startApp(settings: NodeJS.ProcessEnv = {}): Promise<RunningService> {
    const app = await start({ ...this.environment(), ...settings }, { clock: this.clock });
    this.apps.push(app);
    return app;
  }

  /** What an instance of the app is started with. */
  environment(): NodeJS.ProcessEnv {
    return {
      TOLLBRIDGE_ENV: 'sandbox',
      SERVICE_API_NATS_URL: this.nats.url,
      SERVICE_API_DATABASE_URL: this.database.runtimeUrl,
      SERVICE_API_MANAGEMENT_PORT: '0',
      ...reloadlySettings(`${this.simulatorUrl}/reloadly`),
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

  /** The failure that an input is answered with, whatever its type. */
  async failureOf(operation: BusOperation<any, any>, input: unknown): Promise<DomainError> {
    const outcome: unknown = await this.call(operation, input).catch((error: unknown) => error);
    if (outcome instanceof DomainError) return outcome;
    throw new Error(`${operation.subject} was not refused but answered ${JSON.stringify(outcome)}`);
  }

  /** How many transactions the provider has made. */
  async bought(): Promise<number> {
    const { rows } = await this.provider.pool.query<{ count: string }>(
      'SELECT count(*) FROM reloadly_transactions',
    );
    return Number(rows[0]!.count);
  }

  /** How often the provider was asked to sell something. */
  get askedToSell(): number {
    const routes = ['giftcards/orders', 'topups/topups', 'utilities/pay'];
    return routes.reduce((sum, route) => sum + (this.simulator.asked.get(`POST /reloadly/${route}`) ?? 0), 0);
  }
}

export const keyId = '0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d';

/** @param url below which the three products and their tokens lie */
export function reloadlySettings(url: string): NodeJS.ProcessEnv {
  return {
    RELOADLY_AUTH_URL: `${url}/auth`,
    RELOADLY_GIFTCARDS_URL: `${url}/giftcards`,
    RELOADLY_TOPUPS_URL: `${url}/topups`,
    RELOADLY_UTILITIES_URL: `${url}/utilities`,
    RELOADLY_GIFTCARDS_AUDIENCE: 'https://giftcards-sandbox.reloadly.com',
    RELOADLY_TOPUPS_AUDIENCE: 'https://topups-sandbox.reloadly.com',
    RELOADLY_UTILITIES_AUDIENCE: 'https://utilities-sandbox.reloadly.com',
    RELOADLY_CLIENT_ID: reloadlyClient.id,
    RELOADLY_CLIENT_SECRET: reloadlyClient.secret,
    // What the provider answers late, nobody here waits for as long as in earnest.
    RELOADLY_READ_SECONDS: '1',
    RELOADLY_PURCHASE_SECONDS: '1',
  };
}
