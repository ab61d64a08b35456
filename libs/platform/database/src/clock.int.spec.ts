import type { Pool } from 'pg';
import { DatabaseClock, systemClock } from './clock';
import { Database, transaction } from './database';
import { eventually, freshDatabase, type FreshDatabase } from './testing/servers';

let fresh: FreshDatabase;
let database: Database;

beforeAll(async () => {
  fresh = await freshDatabase('clock');
  database = await Database.open({ app: 'clock', url: fresh.runtimeUrl, entities: [], maxConnections: 1 });
});

afterAll(async () => {
  await database.close();
  await fresh.drop();
});

afterEach(() => jest.restoreAllMocks());

/** Reads the clock between two readings of the database time. */
async function bounds(read: () => number): Promise<{ beforeMs: number; readMs: number; afterMs: number }> {
  const ask = async () =>
    Number(
      (await database.pool.query<{ ms: number }>('SELECT extract(epoch FROM clock_timestamp()) * 1000 AS ms'))
        .rows[0]!.ms,
    );
  const beforeMs = await ask();
  const readMs = read();
  return { beforeMs, readMs, afterMs: await ask() };
}

// Allows for half the round trip of the measurement on a busy machine.
const toleranceMs = 50;

function expectAgreed({ beforeMs, readMs, afterMs }: Awaited<ReturnType<typeof bounds>>): void {
  expect(readMs).toBeGreaterThan(beforeMs - toleranceMs);
  expect(readMs).toBeLessThan(afterMs + toleranceMs);
}

/** Starts a clock and compares it with the database. Retries, because the machine may stall during a measurement. */
const untilAgreed = (
  start: () => Promise<DatabaseClock> = () => DatabaseClock.start(database.pool),
): Promise<void> =>
  eventually(async () => {
    const clock = await start();
    try {
      expectAgreed(await bounds(() => clock.now()));
    } finally {
      clock.stop();
    }
  });

// Fakes only setInterval, which triggers the measurements.
const notFaked = [
  'Date',
  'hrtime',
  'nextTick',
  'performance',
  'queueMicrotask',
  'setImmediate',
  'clearImmediate',
  'setTimeout',
  'clearTimeout',
] as const;

/** Wraps a pool so that its replies arrive late. */
function lateReplies(pool: Pool, late: { ms: number }): Pool {
  const connect = async () => {
    const client = await pool.connect();
    const query = async (text: string) => {
      const result = await client.query(text);
      await new Promise((resolve) => setTimeout(resolve, late.ms));
      return result;
    };
    return new Proxy(client, {
      get(target, name) {
        if (name === 'query') return query;
        const value: unknown = Reflect.get(target, name);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
  };
  return { connect } as unknown as Pool;
}

describe('DatabaseClock', () => {
  it.each([
    ['right', 0],
    ['five minutes slow', -300_000],
    ['an hour fast', 3_600_000],
  ])('returns the time of the database when the clock of the machine is %s', async (_case, skewMs) => {
    const real = Date.now;
    jest.spyOn(Date, 'now').mockImplementation(() => real() + skewMs);
    await untilAgreed();
  });

  it('ignores a step of the machine clock', async () => {
    await untilAgreed(async () => {
      jest.restoreAllMocks();
      const clock = await DatabaseClock.start(database.pool);
      const real = Date.now;
      const beforeMs = clock.now();
      jest.spyOn(Date, 'now').mockImplementation(() => real() - 3_600_000);
      expect(clock.now()).toBeGreaterThanOrEqual(beforeMs);
      return clock;
    });
  });

  it('stays accurate when its query has to wait for a connection', async () => {
    await untilAgreed(async () => {
      const busy = transaction(database.pool, (client) => client.query('SELECT pg_sleep(0.6)'));
      const clock = await DatabaseClock.start(database.pool);
      await busy;
      return clock;
    });
  });

  it('keeps its time when a later measurement is slow', async () => {
    const slow = { ms: 0 };
    const intervals = jest.useFakeTimers({ doNotFake: [...notFaked] });
    const clock = await DatabaseClock.start(lateReplies(database.pool, slow));
    try {
      const differenceMs = () => clock.now() - performance.now();
      const beforeMs = differenceMs();
      slow.ms = 600;
      intervals.advanceTimersByTime(30_000);
      // The measurement uses the only connection, so these queries wait for it.
      await database.pool.query('SELECT 1');
      await database.pool.query('SELECT 1');
      expect(Math.abs(differenceMs() - beforeMs)).toBeLessThan(50);
    } finally {
      jest.useRealTimers();
      clock.stop();
    }
  });

  it('never goes backwards, and returns whole milliseconds', async () => {
    const clock = await DatabaseClock.start(database.pool);
    let lastMs = clock.now();
    for (let reading = 0; reading < 10_000; reading++) {
      const nowMs = clock.now();
      expect(nowMs).toBeGreaterThanOrEqual(lastMs);
      lastMs = nowMs;
    }
    expect(Number.isInteger(lastMs)).toBe(true);
    clock.stop();
  });
});

describe('systemClock', () => {
  it('returns the time of the machine', () => {
    const beforeMs = Date.now();
    expect(systemClock.now()).toBeGreaterThanOrEqual(beforeMs);
    expect(systemClock.now()).toBeLessThanOrEqual(Date.now());
  });
});
