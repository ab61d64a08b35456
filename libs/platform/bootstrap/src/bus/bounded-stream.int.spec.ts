import { Module, type Type } from '@nestjs/common';
import { declaredStreams, orderEvents, purchaseEvents } from '@tollbridge/contracts';
import {
  BusConnection,
  developmentIdentity,
  EventConsumer,
  EventVerifier,
  eventPrefix,
  provisionStream,
  readEnvelope,
  streamOf,
  type EventEnvelope,
} from '@tollbridge/rpc';
import { idempotencyTable, leasesTable, outboxTables } from '@tollbridge/database';
import { Metrics, type Logger } from '@tollbridge/observability';
import {
  eventually,
  freshDatabase,
  startNats,
  type FreshDatabase,
  type NatsServer,
} from '@tollbridge/testing';
import { StorageType, type JetStreamManager } from 'nats';
import { EventConsumers } from './event-consumers';
import { OutboxModule } from '../database/outbox.module';
import type { RunningService } from '../service';
import { StreamReadiness } from './stream-readiness';
import { createTables, startTestService } from '../testing/test-service';

process.env['LOG_LEVEL'] = 'silent';

// declaredStreams lists a consumer for the stream of this app.
const app = 'pay-orders';
const consumerName = 'merchant-orders';
const stream = streamOf(app);
const maxBytes = 2 ** 20;
// Four times the number of events that fits into the stream.
const eventCount = 400;
const keys = 7;

@Module({ imports: [OutboxModule] })
class ShopModule {}

let fresh: FreshDatabase;
let nats: NatsServer;
let reader: BusConnection;
let manager: JetStreamManager;
let service: RunningService;
let consumer: EventConsumer | undefined;
let written: number;

beforeEach(async () => {
  written = 0;
  consumer = undefined;
  fresh = await freshDatabase('pay_orders');
  await createTables(app, fresh.ownerUrl, [outboxTables, idempotencyTable, leasesTable]);
  // The event store has three times the size of the stream, so that tests can fill it.
  nats = await startNats(3 * maxBytes);
  reader = await BusConnection.open({ app: 'merchant', url: nats.url });
  manager = await reader.jetstreamManager();
  await provision();
  service = await startTestService({
    app,
    module: ShopModule as Type,
    natsUrl: nats.url,
    config: {},
    database: { url: fresh.runtimeUrl, entities: [], maxConnections: 4 },
    streamMaxMb: 1,
  });
});

afterEach(async () => {
  await consumer?.stop();
  await service.close();
  await reader.close();
  await nats.remove();
  await fresh.drop();
});

const provision = () =>
  provisionStream(
    reader,
    declaredStreams.find((declared) => declared.app === app)!,
    { maxBytes },
  );

/** Writes events of 10 kB. Their numbers are consecutive for each key. */
async function write(count: number): Promise<void> {
  await service.database!.pool.query(
    `INSERT INTO outbox (id, subject, aggregate_id, payload)
     SELECT id, $1, key, json_build_object('id', id, 'type', 'sold', 'version', 1, 'aggregateId', key,
       'aggregateVersion', n, 'data', json_build_object('n', n, 'text', repeat('x', 10000)))
     FROM (SELECT gen_random_uuid() AS id, 'key-' || n % $2::int AS key, n
       FROM generate_series($3::int, $4::int) AS n) AS events ORDER BY n`,
    [`${eventPrefix(app)}.sold.v1`, keys, written + 1, written + count],
  );
  written += count;
}

/** Starts the declared consumer and returns the numbers that it receives. */
function consume(everyMs = 0): number[] {
  const received: number[] = [];
  consumer = new EventConsumer(reader, {
    source: app,
    purpose: 'orders',
    verifier: new EventVerifier(developmentIdentity('merchant')),
    decode: (text, subject) => readEnvelope(text, subject) as EventEnvelope,
    handle: async (events) => {
      await new Promise((resolve) => setTimeout(resolve, everyMs));
      received.push(...events.map(({ aggregateVersion }) => aggregateVersion));
    },
    onDead: async () => undefined,
  });
  consumer.start();
  return received;
}

async function metric(name: string): Promise<number> {
  const { values } = await service.metrics.registry.getSingleMetric(name)!.get();
  return values[0]!.value;
}

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);
const waiting = async (): Promise<number> => (await fresh.query('SELECT FROM outbox_queue')).length;

/** Expects each number once, and the numbers of one key in the order of their writes. */
function expectAll(received: readonly number[]): void {
  expect([...received].sort((a, b) => a - b)).toEqual(numbers(written));
  for (const key of numbers(keys)) {
    const own = received.filter((n) => n % keys === key % keys);
    expect(own).toEqual([...own].sort((a, b) => a - b));
  }
}

describe('OutboxWorker with a bounded stream', () => {
  it('publishes every event once to a slow consumer of a full stream, in order for each key', async () => {
    // The consumer exists, but does not acknowledge any event yet.
    await write(eventCount);
    await eventually(async () => expect(await metric('tollbridge_outbox_held_back')).toBe(1));
    const { state, config } = await manager.streams.info(stream);
    expect(config.max_bytes).toBe(maxBytes);
    expect(state.bytes).toBeLessThanOrEqual(maxBytes);
    expect(state.first_seq).toBe(1);
    expect(await metric('tollbridge_stream_bytes')).toBe(state.bytes);
    expect(await metric('tollbridge_stream_max_bytes')).toBe(maxBytes);
    expect(await metric('tollbridge_stream_fill_ratio')).toBeGreaterThan(0.9);
    // The app continues to write while the stream is full.
    await write(50);
    const received = consume(20);
    await eventually(() => expect(received.length).toBeGreaterThanOrEqual(written));
    await eventually(async () => expect(await waiting()).toBe(0));
    expectAll(received);
    expect(await metric('tollbridge_outbox_held_back')).toBe(0);
    expect(await metric('tollbridge_event_publish_failures_total')).toBe(0);
  });

  it('holds back events while the stream is full, until the declared consumer starts for the first time', async () => {
    await write(eventCount);
    await eventually(async () => expect(await metric('tollbridge_outbox_held_back')).toBe(1));
    await eventually(async () => expect(await metric('tollbridge_outbox_waiting')).toBeGreaterThan(200));
    const { state } = await manager.streams.info(stream);
    await eventually(async () => expect(await metric('tollbridge_consumer_lag')).toBe(state.messages));
    expect(await metric('tollbridge_stream_unacknowledged_ratio')).toBeGreaterThan(0.9);
    const received = consume();
    await eventually(() => expect(received.length).toBeGreaterThanOrEqual(eventCount));
    expectAll(received);
  });

  it('accepts writes while the event store is full, and publishes the events when it has space', async () => {
    const received = consume();
    await write(5);
    await eventually(() => expect(received).toHaveLength(5));
    await manager.streams.add({ name: 'FILLER', subjects: ['filler'], storage: StorageType.File });
    const fill = (async () => {
      for (;;) await reader.jetstream().publish('filler', new Uint8Array(100_000));
    })();
    // The NATS error "insufficient resources".
    await expect(fill).rejects.toMatchObject({ api_error: { err_code: 10_023 } });
    await write(50);
    await eventually(async () =>
      expect(await metric('tollbridge_event_publish_failures_total')).toBeGreaterThan(1),
    );
    await write(50);
    expect(received).toHaveLength(5);
    expect(await waiting()).toBe(100);
    await manager.streams.delete('FILLER');
    await eventually(() => expect(received.length).toBeGreaterThanOrEqual(written));
    expectAll(received);
    await eventually(async () => expect(await waiting()).toBe(0));
  });

  it('republishes the outbox to a wiped store, including events that no consumer has received', async () => {
    await write(eventCount);
    const before = consume();
    await eventually(() => expect(before.length).toBe(eventCount));
    await consumer!.stop();
    await write(20);
    await eventually(async () => expect(await waiting()).toBe(0));
    await nats.stop('SIGKILL');
    nats.loseStorage();
    await nats.start();
    const streams = async () => (await service.health()).checks['streams'];
    await eventually(async () => expect(await streams()).toBe('unavailable'));
    await eventually(provision);
    await eventually(async () => expect(await metric('tollbridge_outbox_held_back')).toBe(1));
    expect(await streams()).toBe('ok');
    const after = consume();
    await eventually(() => expect(new Set(after).size).toBe(written));
    expectAll(after);
  });
});

const consumersOf = (logger: Logger, streams = new StreamReadiness(logger)) =>
  new EventConsumers(
    ...([reader, service.database!, new Metrics('merchant'), streams] as const),
    new EventVerifier(developmentIdentity('merchant')),
    logger,
  );

describe('EventConsumers', () => {
  it('rejects a consumer that declaredStreams does not list', () => {
    const consumers = consumersOf(service.logger);
    const handle = async () => undefined;
    const events = [orderEvents['order-created']] as const;
    expect(() => consumers.open({ events, purpose: 'unknown', handle })).toThrow(
      'merchant-unknown is not declared as a consumer of pay-orders; add it to declaredStreams',
    );
    expect(consumers.open({ events, purpose: 'orders', handle })).toBe(consumerName);
  });

  it('logs a missing consumer once and reports not ready until it is provisioned', async () => {
    const logged: unknown[][] = [];
    // The test has no table of dead letters, so the scan for them logs failures.
    const log =
      (level: string) =>
      (fields: unknown, message: string): void => {
        if (!message.startsWith('dead letter')) logged.push([level, fields, message]);
      };
    const logger = { info: log('info'), warn: log('warn'), error: log('error') } as never;
    const streams = new StreamReadiness(logger);
    const consumers = consumersOf(logger, streams);
    const events = [purchaseEvents['purchase-changed']] as const;
    const name = consumers.open({ events, purpose: 'purchases', handle: async () => undefined });
    consumers.onApplicationBootstrap();
    const reason = expect.stringContaining('Run: npm run streams -- apply');
    const waiting = ['info', { name, reason }, 'event stream not provisioned yet, waiting'];
    await eventually(() => expect(logged).toEqual([waiting]));
    expect(streams.isComplete).toBe(false);
    // Waits for further attempts, which the consumer makes every half a second.
    await new Promise((resolve) => setTimeout(resolve, 1_200));
    expect(logged).toEqual([waiting]);
    const source = declaredStreams.find((declared) => declared.app === 'service-api')!;
    await provisionStream(reader, source, { maxBytes });
    await eventually(() => expect(logged.at(-1)).toEqual(['info', { name }, 'event stream found']));
    expect(streams.isComplete).toBe(true);
    await consumers.onApplicationShutdown();
  });
});
