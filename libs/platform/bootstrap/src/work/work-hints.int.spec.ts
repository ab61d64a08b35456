import { Module, type Type } from '@nestjs/common';
import { BusConnection, eventPrefix, provisionStream, streamOf, writtenSubject } from '@tollbridge/rpc';
import { Database, idempotencyTable, leasesTable, outboxTables } from '@tollbridge/database';
import { eventually, freshDatabase, ManualClock, type FreshDatabase } from '@tollbridge/testing';
import { randomBytes } from 'node:crypto';
import { OutboxWorker } from '../database/outbox-worker';
import { OutboxModule } from '../database/outbox.module';
import { longestIdleMs, PollingLoop } from './polling-loop';
import type { RunningService } from '../service';
import { createTables, startTestService } from '../testing/test-service';
import { WorkHints } from './work-hints';

process.env['LOG_LEVEL'] = 'silent';

const natsUrl = process.env['TEST_NATS_URL']!;
const app = `shop-${randomBytes(6).toString('hex')}`;
// Below the polling interval of a sleeping job that receives no hint.
const soonMs = longestIdleMs - 1_000;

@Module({ imports: [OutboxModule] })
class ShopModule {}

let fresh: FreshDatabase;
let observer: BusConnection;
let streams: BusConnection;
let clock: ManualClock;
let replicas: RunningService[];
const jobs: PollingLoop[] = [];

beforeAll(async () => {
  fresh = await freshDatabase('shop');
  await createTables(app, fresh.ownerUrl, [outboxTables, idempotencyTable, leasesTable]);
  observer = await BusConnection.open({ app: `${app}-observer`, url: natsUrl });
  streams = await observer.openEvents();
  await provisionStream(streams, { app, consumers: [] });
});

afterAll(async () => {
  const manager = await streams.jetstreamManager();
  await manager.streams.delete(streamOf(app)).catch(() => undefined);
  await streams.close();
  await observer.close();
  await fresh.drop();
});

beforeEach(async () => {
  clock = new ManualClock();
  replicas = [await open(), await open()];
});

afterEach(async () => {
  await Promise.all(jobs.splice(0).map((job) => job.stop()));
  await Promise.all(replicas.map((replica) => replica.close()));
});

const open = (): Promise<RunningService> =>
  startTestService({
    app,
    module: ShopModule as Type,
    natsUrl,
    config: {},
    clock,
    database: { url: fresh.runtimeUrl, entities: [], maxConnections: 4 },
  });

/** Stores an event without sending a hint. */
async function write(replica: RunningService, good: string): Promise<void> {
  await replica.context.get(Database).pool.query(
    `INSERT INTO outbox (id, subject, aggregate_id, payload)
     VALUES (gen_random_uuid(), $1, $2, json_build_object('good', $2::text))`,
    [`${eventPrefix(app)}.sold.v1`, good],
  );
}

const unpublished = () => fresh.query('SELECT FROM outbox_queue');
const published = (timeoutMs: number) =>
  eventually(async () => expect(await unpublished()).toHaveLength(0), { timeoutMs });

/** Starts a job that is idle until `dueAtMs` of the clock, and counts its runs. */
function sleeper(replica: RunningService, dueAtMs: number | null = null) {
  const hints = replica.context.get(WorkHints);
  const counted = { runs: 0 };
  const job = async () => {
    counted.runs++;
    return hints.idleUntil(dueAtMs);
  };
  const loop = new PollingLoop(job, 10, () => undefined);
  hints.wakes(loop);
  loop.start();
  jobs.push(loop);
  return counted;
}

describe('OutboxWorker with WorkHints', () => {
  it('publishes immediately an event that any replica has committed, through the leading replica', async () => {
    for (const [at, replica] of [...replicas, ...replicas].entries()) {
      await write(replica, `good ${at}`);
      replica.context.get(OutboxWorker).wake();
      await published(soonMs);
    }
  });

  it('publishes an event when its hint was lost', async () => {
    for (const replica of replicas) {
      await write(replica, 'without hint');
      await published(longestIdleMs + 3_000);
    }
  });
});

describe('PollingLoop with WorkHints', () => {
  it('wakes when its own or another replica has written', async () => {
    for (const writer of replicas) {
      const counted = replicas.map((replica) => sleeper(replica));
      await eventually(() => expect(counted.map(({ runs }) => runs)).toEqual([1, 1]));
      await new Promise((resolve) => setTimeout(resolve, 50));
      writer.context.get(WorkHints).written();
      await eventually(() => expect(counted.every(({ runs }) => runs >= 2)).toBe(true), {
        timeoutMs: soonMs,
      });
    }
  });

  it('wakes when the clock is set', async () => {
    const counted = sleeper(replicas[0]!, clock.now() + 3_600_000);
    await new Promise((resolve) => setTimeout(resolve, 50));
    clock.advance(3_600_000);
    await eventually(() => expect(counted.runs).toBeGreaterThanOrEqual(2), { timeoutMs: soonMs });
  });

  it('wakes when the next row is due', async () => {
    const counted = sleeper(replicas[0]!, clock.now() + 300);
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(counted.runs).toBe(1);
    await eventually(() => expect(counted.runs).toBeGreaterThanOrEqual(2), { timeoutMs: soonMs });
  });
});

describe('WorkHints', () => {
  /** Counts the wake-ups of a listener for orders, of another listener, and of one for all kinds, in both replicas. */
  function count() {
    const woken = { orders: [0, 0], other: [0, 0], all: [0, 0] };
    for (const [at, replica] of replicas.entries()) {
      const hints = replica.context.get(WorkHints);
      hints.onWork(() => void woken.orders[at]!++, ['orders']);
      hints.onWork(() => void woken.other[at]!++);
      hints.onWork(() => void woken.all[at]!++, 'all');
    }
    return woken;
  }

  it('wakes only the listeners of a kind of work, in all replicas', async () => {
    const woken = count();
    replicas[0]!.context.get(WorkHints).written('orders');
    await eventually(() => expect(woken).toEqual({ orders: [1, 1], other: [0, 0], all: [1, 1] }));
  });

  it('wakes all listeners for a kind without a listener, and for work without a kind', async () => {
    for (const kind of ['of a newer release', undefined]) {
      const woken = count();
      replicas[0]!.context.get(WorkHints).written(kind);
      await eventually(() => expect(woken).toEqual({ orders: [1, 1], other: [1, 1], all: [1, 1] }));
    }
  });

  it('wakes all listeners of other replicas when one hint is for several kinds, and for a hint of an earlier release', async () => {
    const woken = count();
    const hints = replicas[0]!.context.get(WorkHints);
    hints.written('orders');
    hints.written('orders');
    hints.written();
    await eventually(() => expect(woken.other).toEqual([1, 1]));
    observer.nats.publish(writtenSubject(app), Buffer.from('5f0c7f2e-4a1b-4a3e-9c1d-2b7a6d0e8f31'));
    await eventually(() => expect(woken.other).toEqual([2, 2]));
  });

  it('sends few hints for a thousand commits, the last one after the last commit', async () => {
    const receivedAtMs: number[] = [];
    const hints = observer.nats.subscribe(writtenSubject(app), {
      callback: () => void receivedAtMs.push(performance.now()),
    });
    await observer.nats.flush();
    let lastMs = 0;
    for (let commit = 0; commit < 1_000; commit++) {
      replicas[0]!.context.get(WorkHints).written();
      lastMs = performance.now();
      if (commit % 100 === 99) await new Promise((resolve) => setTimeout(resolve, 5));
    }
    await eventually(() => expect(receivedAtMs.at(-1)).toBeGreaterThan(lastMs));
    hints.unsubscribe();
    expect(receivedAtMs.length).toBeLessThan(30);
  });
});
