import { Controller, Module, type Type } from '@nestjs/common';
import { declaredStreams } from '@tollbridge/contracts';
import {
  BusClient,
  BusConnection,
  developmentIdentity,
  EventConsumer,
  EventVerifier,
  eventPrefix,
  feature,
  Handles,
  operation,
  provisionerName,
  provisionStream,
  readEnvelope,
  streamOf,
  Text,
  unrestrictedAccess,
  type EventEnvelope,
  type ProvisionedStream,
} from '@tollbridge/rpc';
import { handleBatchOnce, idempotencyTable, leasesTable, migrate, outboxTables } from '@tollbridge/database';
import {
  eventually,
  freshDatabase,
  NatsCluster,
  type FreshDatabase,
  type NatsNode,
} from '@tollbridge/testing';
import type { JetStreamManager } from 'nats';
import { OutboxWorker } from '../database/outbox-worker';
import { OutboxModule } from '../database/outbox.module';
import { startService, type RunningService } from '../service';

process.env['LOG_LEVEL'] = 'silent';

const app = 'pay-orders';
const durable = 'merchant-orders';
const stream = streamOf(app);
// NATS elects a leader within nine seconds, and a page of events waits five seconds for its confirmations. A
// slow machine needs longer.
const longestPauseMs = 45_000;

class Order {
  @Text('Which order')
  id: string;
}

const order = {
  summary: '',
  input: Order,
  output: Order,
  auth: 'public',
} as const;

/** Subjects that the NATS user of the gateway may call. */
const { operations } = feature(app, 'orders', 'Orders', {
  getOrder: operation('GET /order/{id}', order),
  createOrder: operation('POST /order', { ...order, timeoutMs: 3_000 }),
});

@Controller()
@Handles({ app, name: 'orders', title: 'Orders', operations })
class Orders {
  static readonly created: string[] = [];
  getOrder({ id }: Order): Order {
    return { id };
  }
  createOrder({ id }: Order): Order {
    Orders.created.push(id);
    return { id };
  }
}

@Module({ imports: [OutboxModule], controllers: [Orders] })
class ShopModule {}

class ClusterTables1700000000000 {
  readonly name = 'ClusterTables1700000000000';
  async up(runner: { query(text: string): Promise<unknown> }): Promise<void> {
    await runner.query(outboxTables);
    await runner.query(idempotencyTable);
    await runner.query(leasesTable);
    await runner.query('CREATE TABLE handled (n integer NOT NULL, at timestamptz DEFAULT clock_timestamp())');
  }
  async down(): Promise<void> {}
}

let cluster: NatsCluster;
let fresh: FreshDatabase;
let service: RunningService;
let reader: BusConnection;
let operator: BusConnection;
let manager: JetStreamManager;
let consumer: EventConsumer;
let written = 0;

beforeAll(async () => {
  [cluster, fresh] = await Promise.all([NatsCluster.start(), freshDatabase('pay_orders')]);
  await migrate({ app, url: fresh.ownerUrl, migrations: [ClusterTables1700000000000] as never });
  operator = await BusConnection.openEvents({ app: 'operator', url: cluster.url('operator') });
  manager = await operator.jetstreamManager();
  await eventually(() => provision(3));
  service = await startService({
    app,
    module: ShopModule as Type,
    natsUrl: cluster.url(app),
    config: {},
    identity: developmentIdentity(app),
    access: unrestrictedAccess,
    managementHost: '127.0.0.1',
    managementPort: 0,
    database: { url: fresh.runtimeUrl, entities: [], maxConnections: 6 },
    streamMaxMb: 16,
    streamReplicas: 3,
  });
  reader = await BusConnection.open({ app: 'merchant', url: cluster.url('merchant') });
  consumer = openConsumer();
  consumer.start();
});

afterAll(async () => {
  await consumer?.stop();
  await service?.close();
  for (const bus of [reader, operator]) await bus?.close();
  await cluster?.remove();
  await fresh?.drop();
});

/** Creates the stream with the permissions of the provisioner. */
async function provision(replicas: number): Promise<ProvisionedStream> {
  const bus = await BusConnection.openEvents({ app: provisionerName, url: cluster.url(provisionerName) });
  const declared = declaredStreams.find((stream) => stream.app === app)!;
  return provisionStream(bus, declared, { replicas, maxBytes: 16 * 2 ** 20 }).finally(() => void bus.close());
}

/** Stores the number of each event, in the transaction of the inbox. */
function openConsumer(): EventConsumer {
  const { pool } = service.database!;
  return new EventConsumer(reader, {
    source: app,
    purpose: 'orders',
    verifier: new EventVerifier(developmentIdentity('merchant')),
    decode: (text, subject) => readEnvelope(text, subject) as EventEnvelope,
    handle: async (events) => {
      await handleBatchOnce(pool, durable, events, async (once, client) => {
        const numbers = once.map(({ aggregateVersion }) => aggregateVersion);
        await client.query('INSERT INTO handled (n) SELECT unnest($1::int[])', [numbers]);
      });
    },
    onDead: async () => undefined,
  });
}

async function write(count: number): Promise<void> {
  await service.database!.pool.query(
    `INSERT INTO outbox (id, subject, aggregate_id, payload)
     SELECT id, $1, 'one', json_build_object('id', id, 'type', 'sold', 'version', 1, 'aggregateId', 'one',
       'aggregateVersion', n, 'data', json_build_object('n', n))
     FROM (SELECT gen_random_uuid() AS id, n FROM generate_series($2::int, $3::int) AS n) AS events ORDER BY n`,
    [`${eventPrefix(app)}.sold.v1`, written + 1, written + count],
  );
  written += count;
  service.context.get(OutboxWorker, { strict: false }).wake();
}

/** Writes a few events every 100 ms until stopped. */
function keepWriting(): () => Promise<void> {
  let isRunning = true;
  const loop = (async () => {
    while (isRunning) {
      await write(5);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  })();
  return async () => {
    isRunning = false;
    await loop;
  };
}

interface Handled {
  count: number;
  different: number;
  longest: number;
}

async function handled(): Promise<Handled> {
  const { rows } = await service.database!.pool.query<Handled>(
    `SELECT count(*)::int AS count, count(DISTINCT n)::int AS different,
       coalesce(extract(epoch FROM max(gap)) * 1000, 0)::int AS longest
     FROM (SELECT n, at - lag(at) OVER (ORDER BY at) AS gap FROM handled) h`,
  );
  return rows[0]!;
}

/** Resolves when every event was handled, and fails when one was handled twice. */
const untilAllHandled = () =>
  eventually(
    async () => {
      const { count, different } = await handled();
      expect({ count, different }).toEqual({ count: written, different: written });
    },
    { everyMs: 100 },
  );

const clusterOf = async () => (await manager.streams.info(stream)).cluster!;
const nodeOf = (name: string): NatsNode => cluster.nodes.find((node) => node.name === name)!;

const untilCaughtUp = () =>
  eventually(
    async () => {
      const { leader, replicas = [] } = await clusterOf();
      expect(leader).toBeTruthy();
      expect(replicas.map(({ current, offline = false }) => [current, offline])).toEqual([
        [true, false],
        [true, false],
      ]);
    },
    { everyMs: 200 },
  );

describe('a cluster of three NATS servers', () => {
  it('stores the stream and the position of its consumer on all servers', async () => {
    await write(5);
    await untilAllHandled();
    await untilCaughtUp();
    const { cluster: placed } = await manager.consumers.info(stream, durable);
    expect(placed!.replicas).toHaveLength(2);
  });

  it('handles each event once when the leader of the stream is killed, and the server catches up', async () => {
    const stopWriting = keepWriting();
    const victim = nodeOf((await clusterOf()).leader!);
    await victim.kill();
    const before = written;
    await eventually(async () => expect((await handled()).count).toBeGreaterThan(before), {
      everyMs: 100,
    });
    await victim.start();
    await stopWriting();
    await untilAllHandled();
    await untilCaughtUp();
    expect((await handled()).longest).toBeLessThan(longestPauseMs);
  });

  it('keeps every event while the leader of the stream and of the consumer changes', async () => {
    const stopWriting = keepWriting();
    for (const subject of [
      `STREAM.LEADER.STEPDOWN.${stream}`,
      `CONSUMER.LEADER.STEPDOWN.${stream}.${durable}`,
    ]) {
      // A server that has just changed its leader may not list the consumer yet.
      await eventually(async () => {
        const reply = await operator.nats.request(`$JS.API.${subject}`, undefined, { timeout: 5_000 });
        expect(reply.json()).toMatchObject({ success: true });
      });
      const before = written;
      await eventually(async () => expect((await handled()).count).toBeGreaterThan(before), {
        everyMs: 100,
      });
    }
    await stopWriting();
    await untilAllHandled();
  });

  it('changes the stream and its consumer from three replicas to one and back, without a rebuild', async () => {
    const { createdAt } = await provision(3);
    for (const replicas of [1, 3]) {
      expect(await provision(replicas)).toMatchObject({ createdAt, outcome: 'updated' });
      await eventually(
        async () => {
          expect((await clusterOf()).replicas ?? []).toHaveLength(replicas - 1);
          const { cluster: placed } = await manager.consumers.info(stream, durable);
          expect(placed!.replicas ?? []).toHaveLength(replicas - 1);
        },
        { everyMs: 200 },
      );
    }
    await expect(provision(5)).rejects.toThrow(`NATS rejects the stream ${stream} with 5 replicas`);
    await write(5);
    await untilAllHandled();
  });
});

describe('calls while the NATS server of their caller is killed', () => {
  it('reach the service through the next server, and a write is executed at most once', async () => {
    const asking = await BusConnection.open({ app: 'gateway', url: urlBesideTheService() });
    const client = new BusClient(asking, developmentIdentity('gateway'), unrestrictedAccess, {
      // The time-out is long, so that calls on a slow machine wait until the next server accepts the connection.
      reconnectMs: 30_000,
    });
    try {
      await untilTheServiceAnswers(client);
      const victim = cluster.nodes.find(({ url }) => url.endsWith(`:${asking.nats.info!.port}`))!;
      const calls: Promise<string>[] = [];
      const acknowledged: string[] = [];
      const killed = victim.kill();
      for (const endMs = performance.now() + 1_500; performance.now() < endMs;) {
        const id = `order-${calls.length}`;
        calls.push(outcomeOf(client.call(operations.getOrder, { id })));
        const created = outcomeOf(client.call(operations.createOrder, { id }));
        calls.push(created);
        void created.then((code) => code === 'OK' && acknowledged.push(id));
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      await killed;
      const outcomes = await Promise.all(calls);
      expect(asking.nats.info!.port).not.toBe(Number(new URL(victim.url).port));
      const reads = outcomes.filter((_, index) => index % 2 === 0);
      const writes = outcomes.filter((_, index) => index % 2 === 1);
      expect(new Set(reads)).toEqual(new Set(['OK']));
      expect(['OK', 'OUTCOME_UNKNOWN']).toEqual(expect.arrayContaining([...new Set(writes)]));
      expect(writes.filter((code) => code === 'OK').length).toBeGreaterThan(writes.length / 2);
      expect(new Set(Orders.created).size).toBe(Orders.created.length);
      expect(Orders.created).toEqual(expect.arrayContaining(acknowledged));
      await victim.start();
    } finally {
      client.close();
      await asking.close();
    }
  });
});

/**
 * URLs of the cluster without the server of the service: if that server is killed, its subscription is lost
 * for a moment.
 */
function urlBesideTheService(): string {
  const { port } = service.context.get(BusConnection, { strict: false }).nats.info!;
  const urls = cluster.url('gateway').split(',');
  return urls.filter((url) => !url.endsWith(`:${port}`)).join(',');
}

const untilTheServiceAnswers = (client: BusClient) =>
  eventually(async () => expect(await outcomeOf(client.call(operations.getOrder, { id: 'x' }))).toBe('OK'));

const outcomeOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'OK',
    (error: { code: string }) => error.code,
  );
