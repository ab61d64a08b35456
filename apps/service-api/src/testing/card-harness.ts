import { AnyCaller, budgetsApi } from '@tollbridge/contracts';
import {
  BusClient,
  BusConnection,
  callContext,
  keyPrincipal,
  type BusOperation,
  type CallContext,
} from '@tollbridge/rpc';
import { Database } from '@tollbridge/database';
import type { Logger } from '@tollbridge/observability';
import { ServiceLogger, type RunningService } from '@tollbridge/bootstrap';
import {
  freshDatabase,
  startFakeService,
  startNats,
  type FreshDatabase,
  type ManualClock,
  type NatsServer,
  type FakeService,
  testConnections,
} from '@tollbridge/testing';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { symbols } from 'pino';
import { start } from '../start';
import { migratedDatabase } from './migrated-database';

export const owner = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
export const stranger = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC';
export const keyId = '0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d';

type SandboxApp = typeof import('@tollbridge/app-sandbox');

/** The simulators of both issuers, in this process. */
interface Issuers {
  fresh: FreshDatabase;
  database: Database;
  running: Awaited<ReturnType<SandboxApp['startServiceSimulators']>>;
  lithicKey: string;
}

const reserved = { status: 'reserved', isUnbounded: false };

/** The service as in production, with simulators of the issuers and a fake of key budgets. */
export class CardHarness {
  readonly apps: RunningService[] = [];
  /** Log lines of the apps, at the most detailed level. */
  readonly logged: string[] = [];

  private constructor(
    readonly clock: ManualClock,
    readonly database: FreshDatabase,
    readonly issuers: Issuers,
    readonly nats: NatsServer,
    readonly budgets: FakeService,
    private readonly bus: BusConnection,
    private readonly client: BusClient,
  ) {}

  static async start(clock: ManualClock): Promise<CardHarness> {
    process.env['LOG_LEVEL'] ??= 'silent';
    const [database, issuers, nats] = await Promise.all([
      migratedDatabase(),
      openIssuers(clock),
      startNats(),
    ]);
    const budgets = await startFakeService(nats.url, 'op.merchant.budgets.*', ({ subject }) => ({
      output: subject === budgetsApi.operations.reserve.subject ? reserved : { status: 'released' },
    }));
    const bus = await BusConnection.open({ app: 'test-caller', url: nats.url });
    return new CardHarness(clock, database, issuers, nats, budgets, bus, new BusClient(bus, new AnyCaller()));
  }

  /** @param settings in addition to those of both issuers; the default issuer is Lithic */
  async startApp(settings: NodeJS.ProcessEnv = {}): Promise<RunningService> {
    const { running, lithicKey } = this.issuers;
    const env = {
      TOLLBRIDGE_ENV: 'sandbox',
      SERVICE_API_NATS_URL: this.nats.url,
      SERVICE_API_DATABASE_URL: this.database.runtimeUrl,
      SERVICE_API_DATABASE_CONNECTIONS: testConnections,
      SERVICE_API_MANAGEMENT_PORT_NUMBER: '0',
      SERVICE_API_CARD_ISSUER: 'lithic',
      LITHIC_URL: `${running.url}/lithic`,
      LITHIC_API_KEY: lithicKey,
      LASO_URL: `${running.url}/laso`,
      LASO_WALLET_KEY: `0x${'11'.repeat(32)}`,
      ...settings,
    };
    const app = await start(env, { clock: this.clock });
    this.apps.push(app);
    const logger = app.context.get<Logger>(ServiceLogger, { strict: false });
    const stream = { write: (line: string) => this.logged.push(line) };
    Object.assign(logger, { level: 'trace', [symbols.streamSym]: stream });
    return app;
  }

  async closeApps(): Promise<void> {
    await Promise.all(this.apps.splice(0).map((app) => app.close()));
  }

  call<I, O>(
    operation: BusOperation<I, O>,
    input: I,
    { wallet = owner, ...rest }: { wallet?: string } & Partial<CallContext> = {},
  ): Promise<O> {
    const context = callContext({ principal: keyPrincipal(keyId, wallet) });
    return this.client.call(operation, input, { ...context, ...rest });
  }

  /** Returns the number of cards that an issuer has created. */
  async made(issuer: 'lithic' | 'laso'): Promise<number> {
    const [row] = await this.issuers.fresh.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM ${issuer}_cards`,
    );
    return row!.count;
  }

  /** Returns all data that the service has written: the rows of every table, and the files of all streams. */
  async everythingWritten(): Promise<{ tables: string[]; rows: string; files: string }> {
    const tables = await this.database.query<{ name: string }>(
      `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'service_api' ORDER BY 1`,
    );
    const names = tables.map(({ name }) => name);
    const rows = await Promise.all(names.map((name) => this.database.query(`SELECT t::text FROM ${name} t`)));
    const files = filesIn(this.nats['folder']).map((file) => readFileSync(file, 'latin1'));
    return { tables: names, rows: JSON.stringify(rows), files: files.join('\n') };
  }

  async close(): Promise<void> {
    await this.closeApps();
    this.client.close();
    await this.bus.close();
    await this.budgets.close();
    await this.issuers.running.close();
    await this.issuers.database.close();
    await this.nats.remove();
    await Promise.all([this.database.drop(), this.issuers.fresh.drop()]);
  }
}

async function openIssuers(clock: ManualClock): Promise<Issuers> {
  const { startServiceSimulators, migrateSandbox, lithicSandboxKey } =
    (await import('@tollbridge/app-sandbox')) as SandboxApp;
  const fresh = await freshDatabase('sandbox', migrateSandbox);
  const options = { app: 'sandbox', url: fresh.runtimeUrl, entities: [], maxConnections: 4 };
  const database = await Database.open(options);
  const onError = (error: unknown): void => {
    throw error;
  };
  const running = await startServiceSimulators({ database, clock, onError });
  return { fresh, database, running, lithicKey: lithicSandboxKey };
}

function filesIn(folder: string): string[] {
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true });
  return entries.filter((it) => it.isFile()).map((it) => join(it.parentPath, it.name));
}
