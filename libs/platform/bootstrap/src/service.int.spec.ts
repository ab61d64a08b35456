import {
  Controller,
  Inject,
  Injectable,
  Module,
  type OnApplicationShutdown,
  type Type,
} from '@nestjs/common';
import {
  developmentIdentity,
  unrestrictedAccess,
  BusClient,
  BusConnection,
  eventPrefix,
  feature,
  Handles,
  operation,
  provisionStream,
  streamOf,
  Text,
  type CallContext,
  type DomainError,
} from '@tollbridge/rpc';
import { merchantHealthApi } from '@tollbridge/contracts';
import {
  Clock,
  Database,
  idempotencyTable,
  leasesTable,
  migrate,
  outboxTables,
  schemaRelease,
  transaction,
} from '@tollbridge/database';
import {
  eventually,
  freshDatabase,
  ManualClock,
  openTcpLink,
  type FreshDatabase,
  runProgram,
  startNats,
} from '@tollbridge/testing';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { StorageType, type JetStreamManager } from 'nats';
import { Client } from 'pg';
import { OutboxWorker } from './database/outbox-worker';
import { OutboxModule } from './database/outbox.module';
import { startService, type RunningService, type ServiceOptions } from './service';
import { ServiceConfig } from './bus/service-tokens';

// Suppresses the log lines of the provoked faults.
process.env['LOG_LEVEL'] = 'silent';

const natsUrl = process.env['TEST_NATS_URL']!;
const app = `shop-${randomBytes(6).toString('hex')}`;

class Sale {
  @Text('What is sold')
  good: string;
}

const shopApi = feature(app, 'sales', 'Sales', {
  sell: operation('POST /sales', { summary: 'Sell', auth: 'public', input: Sale, output: Sale }),
});

/** Work of the handler between its write and its reply. */
let during: () => Promise<void>;
const ended: string[] = [];

@Injectable()
class Ending implements OnApplicationShutdown {
  onApplicationShutdown(): void {
    ended.push('shutdown');
  }
}

@Controller()
@Handles(shopApi)
class Sales {
  constructor(
    private readonly database: Database,
    private readonly outbox: OutboxWorker,
    @Inject(Clock) private readonly clock: Clock,
    @Inject(ServiceConfig) private readonly config: { greeting: string },
  ) {}

  async sell({ good }: Sale, context: CallContext): Promise<Sale> {
    await transaction(this.database.pool, (client) =>
      client.query(
        `INSERT INTO outbox (id, subject, aggregate_id, payload)
         VALUES (gen_random_uuid(), $1, $2, json_build_object('good', $2::text, 'atMs', $3::bigint, 'request', $4::text))`,
        [`${eventPrefix(app)}.sold.v1`, good, this.clock.now(), context.requestId],
      ),
    );
    await during();
    this.outbox.wake();
    return { good: `${this.config.greeting} ${good}` };
  }
}

@Module({ imports: [OutboxModule], controllers: [Sales], providers: [Ending] })
class ShopModule {}

@Module({})
class NoModule {}

let fresh: FreshDatabase;
let streams: BusConnection;
let manager: JetStreamManager;
let caller: BusConnection;
let client: BusClient;
const services: RunningService[] = [];

class OutboxTables1700000000000 {
  readonly name = 'OutboxTables1700000000000';
  async up(runner: { query(text: string): Promise<unknown> }): Promise<void> {
    await runner.query(outboxTables);
    await runner.query(idempotencyTable);
    await runner.query(leasesTable);
  }
  async down(): Promise<void> {}
}

beforeAll(async () => {
  fresh = await freshDatabase('shop');
  await migrate({ app, url: fresh.ownerUrl, migrations: [OutboxTables1700000000000] as never });
  caller = await BusConnection.open({ app: `${app}-caller`, url: natsUrl });
  streams = await caller.openEvents();
  manager = await streams.jetstreamManager();
  client = new BusClient(caller, developmentIdentity('gateway'));
});

afterAll(async () => {
  client.close();
  await streams.close();
  await caller.close();
  await fresh.drop();
});

beforeEach(async () => {
  await provisionStream(streams, { app, consumers: [] });
  during = async () => undefined;
  ended.splice(0);
});

afterEach(async () => {
  await Promise.all(services.splice(0).map((service) => service.close()));
  await manager.streams.delete(streamOf(app)).catch(() => undefined);
});

const optionsOf = (change: Partial<ServiceOptions> = {}): ServiceOptions => ({
  app,
  module: ShopModule as Type,
  natsUrl,
  config: { greeting: 'sold' },
  identity: developmentIdentity(app),
  access: unrestrictedAccess,
  managementHost: '127.0.0.1',
  managementPort: 0,
  database: { url: fresh.runtimeUrl, entities: [], maxConnections: 4 },
  ...change,
});

async function start(change?: Partial<ServiceOptions>): Promise<RunningService> {
  const service = await startService(optionsOf(change));
  services.push(service);
  return service;
}

const sell = (good = 'tea') => client.call(shopApi.operations.sell, { good });
const codeOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'OK',
    (error) => (error as DomainError).code,
  );

async function freePort(): Promise<{ port: number; close(): void }> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, close: () => void server.close() };
}

describe('RunningService', () => {
  it('answers its operations and publishes their events', async () => {
    await start({ clock: new ManualClock(1_234) });
    expect(await sell()).toEqual({ good: 'sold tea' });
    const stored = await eventually(() =>
      manager.streams.getMessage(streamOf(app), { last_by_subj: `${eventPrefix(app)}.sold.v1` }),
    );
    expect(stored.json()).toMatchObject({ good: 'tea', atMs: 1_234 });
  });

  it('uses the clock of the database unless another clock is given', async () => {
    const service = await start();
    expect(Math.abs(service.clock.now() - Date.now())).toBeLessThan(2_000);
  });

  it('reports ready and serves metrics when the bus and the database are connected', async () => {
    const { port, close } = await freePort();
    close();
    const service = await start({ managementPort: port });
    expect(await service.health()).toEqual({
      status: 'ok',
      checks: { bus: 'ok', database: 'ok', streams: 'ok' },
    });
    const ready = await fetch(`http://127.0.0.1:${port}/health/ready`);
    expect(ready.status).toBe(200);
    await sell();
    const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    expect(metrics).toContain(
      `rpc_server_call_duration_seconds_count{app="${app}",rpc_method="${shopApi.operations.sell.subject}",rpc_response_status_code="OK"} 1`,
    );
    expect(metrics).toContain(`tollbridge_bus_connections{purpose="calls",app="${app}"} 1`);
    expect(metrics).toContain(
      `tollbridge_bus_permission_violations_total{operation="publish",app="${app}"} 0`,
    );
  });

  it('answers SERVICE_UNAVAILABLE before its time-out while all its connections are in use, and recovers', async () => {
    const service = await start();
    let release!: () => void;
    const released = new Promise<void>((resolve) => (release = resolve));
    const { pool } = service.database!;
    // All connections are idle without work.
    await eventually(() => expect(pool.totalCount).toBe(pool.idleCount));
    const busy = [1, 2, 3, 4].map(() => transaction(pool, () => released));
    await eventually(() => expect([pool.totalCount, pool.idleCount]).toEqual([4, 0]));
    const startMs = performance.now();
    expect(await codeOf(sell())).toBe('SERVICE_UNAVAILABLE');
    // A call fails after three seconds without a connection. Its own time-out is ten seconds.
    expect(performance.now() - startMs).toBeLessThan(8_000);
    release();
    await Promise.all(busy);
    expect(await codeOf(sell())).toBe('OK');
  });

  it('reports not ready and answers SERVICE_UNAVAILABLE while its database is unreachable, and recovers', async () => {
    const link = await openTcpLink(fresh.runtimeUrl);
    const url = new URL(fresh.runtimeUrl);
    url.port = new URL(link.url).port;
    const service = await start({ database: { url: url.toString(), entities: [], maxConnections: 4 } });
    await link.cut();
    await eventually(async () => expect(await codeOf(sell())).toBe('SERVICE_UNAVAILABLE'));
    expect(await service.health()).toEqual({
      status: 'unavailable',
      checks: { bus: 'ok', database: 'unavailable', streams: 'ok' },
    });
    await link.mend();
    await eventually(async () => expect(await codeOf(sell())).toBe('OK'));
    expect((await service.health()).status).toBe('ok');
    await service.close();
    await link.close();
  });

  it('reports unavailable while others hold all connections of its role, and recovers', async () => {
    const service = await start();
    let others: Client[] = [];
    const end = () => Promise.all(others.map((other) => other.end().catch(() => undefined)));
    await fresh.limitConnections(3);
    try {
      await eventually(async () => {
        await end();
        others = [1, 2, 3].map(() => new Client({ connectionString: fresh.runtimeUrl }));
        for (const other of others) other.on('error', () => undefined);
        await fresh.breakConnections();
        await Promise.all(others.map((other) => other.connect()));
        expect(await service.health()).toMatchObject({
          status: 'unavailable',
          checks: { bus: 'ok', database: 'unavailable' },
        });
      });
    } finally {
      await end();
      await fresh.limitConnections(-1);
    }
    await eventually(async () => expect((await service.health()).status).toBe('ok'));
  });

  it('answers readiness calls, also while its database is unreachable', async () => {
    const link = await openTcpLink(fresh.runtimeUrl);
    const url = new URL(fresh.runtimeUrl);
    url.port = new URL(link.url).port;
    const database = { url: url.toString(), entities: [], maxConnections: 1 };
    const identity = developmentIdentity('merchant');
    // Other test files run an app of this name on the shared bus.
    const nats = await startNats();
    const service = await start({ app: 'merchant', module: NoModule, natsUrl: nats.url, identity, database });
    const bus = await BusConnection.open({ app: 'gateway', url: nats.url });
    const gateway = new BusClient(bus, developmentIdentity('gateway'));
    const read = () => gateway.call(merchantHealthApi.operations.readHealth, {});
    expect(await read()).toMatchObject({ status: 'ok', checks: { bus: 'ok', database: 'ok' } });
    await link.cut();
    expect(await read()).toMatchObject({
      status: 'unavailable',
      checks: { bus: 'ok', database: 'unavailable' },
    });
    await service.close();
    await bus.close();
    await nats.remove();
    await link.close();
  });

  it('answers OUTCOME_UNKNOWN when its database connection breaks during a statement', async () => {
    await start();
    during = async () => {
      const { pool } = services[0]!.database!;
      const sleeping = pool.query('SELECT pg_sleep(10)');
      await fresh.breakConnections();
      await sleeping;
    };
    expect(await codeOf(sell())).toBe('OUTCOME_UNKNOWN');
  });
});

describe('RunningService.close', () => {
  it('finishes the calls in progress and reports not ready, then shuts down its workers', async () => {
    const service = await start();
    let release!: () => void;
    const released = new Promise<void>((resolve) => (release = resolve));
    let hasBegun = false;
    during = async () => {
      hasBegun = true;
      await released;
    };
    const call = codeOf(sell());
    await eventually(() => expect(hasBegun).toBe(true));
    const closing = service.close();
    expect(await service.health()).toMatchObject({ status: 'unavailable', checks: { bus: 'unavailable' } });
    expect(ended).toEqual([]);
    release();
    await closing;
    expect(await call).toBe('OK');
    expect(ended).toEqual(['shutdown']);
    expect(service.bus.nats.isClosed()).toBe(true);
    expect(service.database!.pool.totalCount).toBe(0);
  });

  it('closes once when it is called twice', async () => {
    const service = await start();
    await Promise.all([service.close(), service.close()]);
    expect(ended).toEqual(['shutdown']);
  });
});

describe('startService after a failure', () => {
  /** Expects no database connection and no subscription of the failed service. */
  const expectNothingOpen = async (): Promise<void> => {
    await eventually(async () => {
      expect(await fresh.query(`SELECT FROM pg_stat_activity WHERE application_name = '${app}'`)).toEqual([]);
    });
    expect(await codeOf(sell())).toBe('SERVICE_UNAVAILABLE');
  };

  it('closes every connection when the management port is in use', async () => {
    const { port, close } = await freePort();
    await expect(startService(optionsOf({ managementPort: port }))).rejects.toMatchObject({
      code: 'EADDRINUSE',
    });
    await expectNothingOpen();
    expect(ended).toEqual(['shutdown']);
    close();
  });

  it('closes every connection when the database is unreachable', async () => {
    const { port, close } = await freePort();
    close();
    const url = `postgres://shop:x@127.0.0.1:${port}/shop`;
    const failing = startService(optionsOf({ database: { url, entities: [], maxConnections: 4 } }));
    await expect(failing).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    await expectNothingOpen();
  });

  it('closes every connection when a provider is missing', async () => {
    @Injectable()
    class Needy {
      constructor(@Inject('missing provider') readonly missing: unknown) {}
    }
    @Module({ providers: [Needy] })
    class BrokenModule {}
    await expect(startService(optionsOf({ module: BrokenModule }))).rejects.toThrow('missing provider');
    await expectNothingOpen();
  });

  it('reports how to repair an incompatible stream, and closes every connection', async () => {
    await manager.streams.delete(streamOf(app));
    await manager.streams.add({
      name: streamOf(app),
      subjects: [`${eventPrefix(app)}.>`],
      storage: StorageType.Memory,
    });
    await expect(startService(optionsOf())).rejects.toThrow('Run: npm run streams -- delete --yes');
    await expectNothingOpen();
  });
});

describe('run with a service', () => {
  it('exits with 1 when the bus connection is closed for good, so that the process is restarted', async () => {
    const child = runProgram(`
    import { Module } from '@nestjs/common';
    import { run, startService } from '@tollbridge/bootstrap';
    import { developmentIdentity } from '@tollbridge/rpc';
    @Module({})
    class Empty {}
    run(async () => {
      const service = await startService({
        app: '${app}-lone', module: Empty, natsUrl: '${natsUrl}', config: {},
        identity: developmentIdentity('${app}-lone'),
        managementHost: '127.0.0.1', managementPort: 0,
      });
      await service.bus.nats.close();
      return service;
    });
  `);
    expect(await child.ended).toBe(1);
    expect(child.output()).toContain('the connection to the bus was closed for good');
    expect(child.errors()).toBe('');
  });
});

describe('startService in a sandbox that other machines can reach', () => {
  const logOf = async (env: NodeJS.ProcessEnv) => {
    const child = runProgram(
      `
      import { Module } from '@nestjs/common';
      import { loadConfig } from '@tollbridge/config';
      import { managementSettings, run, startService } from '@tollbridge/bootstrap';
      import { developmentIdentity } from '@tollbridge/rpc';
      @Module({})
      class Empty {}
      run(async () => {
        const config = loadConfig(managementSettings);
        const service = await startService({
          app: '${app}-exposed', module: Empty, natsUrl: '${natsUrl}', config,
          identity: developmentIdentity('${app}-exposed'),
          managementHost: '127.0.0.1', managementPort: 0,
        });
        await service.bus.nats.close();
        return service;
      });
    `,
      env,
    );
    await child.ended;
    return child.output() + child.errors();
  };

  it('logs a warning with the names of the settings', async () => {
    const env = { TOLLBRIDGE_ENV: 'sandbox', MANAGEMENT_HOST: '0.0.0.0', SANDBOX_EXPOSED: 'on' };
    expect(await logOf(env)).toMatch(
      /"level":40.*"settings":\["MANAGEMENT_HOST"\],"msg":"sandbox exposed: other machines may act as any wallet"/,
    );
  });

  it.each([
    { TOLLBRIDGE_ENV: 'sandbox', SANDBOX_EXPOSED: 'on' },
    { TOLLBRIDGE_ENV: 'test', MANAGEMENT_HOST: '0.0.0.0' },
  ])('logs no warning with %j', async (env) => {
    const log = await logOf(env);
    expect(log).toContain('the connection to the bus was closed for good');
    expect(log).not.toContain('sandbox exposed');
  });

  it('does not start without SANDBOX_EXPOSED', async () => {
    const log = await logOf({ TOLLBRIDGE_ENV: 'sandbox', MANAGEMENT_HOST: '0.0.0.0' });
    expect(log).toContain('MANAGEMENT_HOST lets other machines reach a sandbox');
    expect(log).not.toContain('closed for good');
  });
});

describe('RunningService on a schema of another release', () => {
  class Pending1900000000000 {
    readonly name = 'Pending1900000000000';
    async up(): Promise<void> {}
    async down(): Promise<void> {}
  }
  const startWith = (migrations: unknown[], maxConnections = 4) =>
    start({
      database: { url: fresh.runtimeUrl, entities: [], maxConnections, migrations: migrations as never },
    });
  const setRelease = (release: number) => fresh.query('UPDATE schema_release SET release = $1', [release]);

  afterEach(() => setRelease(schemaRelease));

  it('does not start while migrations are pending, and reports the migrations and the command', async () => {
    await expect(startWith([OutboxTables1700000000000, Pending1900000000000])).rejects.toThrow(
      `Pending migrations: Pending1900000000000. Run them first: node apps/${app}/dist/migrate.js`,
    );
  });

  it('starts on a schema of the next release, but not on a later one', async () => {
    await setRelease(schemaRelease + 1);
    const service = await startWith([OutboxTables1700000000000]);
    expect((await service.health()).status).toBe('ok');
    await setRelease(schemaRelease + 2);
    await expect(startWith([OutboxTables1700000000000])).rejects.toThrow(
      `is of release ${schemaRelease + 2}, and this app is of release ${schemaRelease}`,
    );
  });

  it('does not start with a pool that is larger than the connection limit of its role', async () => {
    await expect(startWith([OutboxTables1700000000000], 10_000)).rejects.toThrow(
      /_DATABASE_CONNECTIONS is 10000, and PostgreSQL gives this role \d+/,
    );
  });
});
