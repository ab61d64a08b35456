import { BusConnection, EventPublisher, eventPrefix, provisionStream, streamOf } from '@tollbridge/rpc';
import { randomBytes, randomUUID } from 'node:crypto';
import type { PoolClient } from 'pg';
import { Database, transaction } from '../database';
import { Leases } from '../leases/leases';
import { OutboxRelay, type OutboxEvent, type RelayOptions } from './outbox-relay';
import { openOutboxDatabase, type OutboxDatabase } from '../testing/outbox-schema';
import { eventually } from '../testing/servers';

let shop: OutboxDatabase;

/** A fake stream that ignores repeated ids, like JetStream. */
interface Stream {
  createdAt: string;
  /** Whether the stream exists. A lost stream rejects events until a relay creates it again. */
  isThere: boolean;
  /** All publications, including repeated ones. */
  sent: OutboxEvent[];
  stored: OutboxEvent[];
}

let stream: Stream;
let errors: unknown[];
const relays: OutboxRelay[] = [];
const leasesOf = new Map<OutboxRelay, Leases>();
// Longer than a machine stalls. Only the test of expiry lets a lease expire.
const longLeaseMs = 10_000;

const newStream = (): Stream => ({ createdAt: randomUUID(), isThere: false, sent: [], stored: [] });

beforeAll(async () => {
  shop = await openOutboxDatabase(20);
});

afterAll(() => shop.close());

beforeEach(async () => {
  await shop.fresh.query('TRUNCATE outbox, outbox_queue, goods RESTART IDENTITY');
  await shop.fresh.query('UPDATE outbox_stream SET created_at = NULL, rebuilt_seq = NULL');
  stream = newStream();
  errors = [];
});

afterEach(stopRelays);

async function stopRelays(): Promise<void> {
  await Promise.all(relays.splice(0).map(stopReplica));
}

/** Stops a relay and releases its lease, in the order of an app's shutdown. */
async function stopReplica(relay: OutboxRelay): Promise<void> {
  await relay.stop();
  await leasesOf.get(relay)?.stop();
  leasesOf.delete(relay);
}

function store(events: OutboxEvent[]): void {
  if (!stream.isThere) throw new Error('no such stream');
  const known = new Set(stream.stored.map(({ id }) => id));
  stream.sent.push(...events);
  stream.stored.push(...events.filter(({ id }) => !known.has(id)));
}

function startRelay(change: Partial<RelayOptions> = {}, leaseMs = longLeaseMs): OutboxRelay {
  const pool = change.pool ?? shop.database.pool;
  const leases = new Leases({
    pool,
    leaseMs,
    onError: (error) => errors.push(error),
    onReleased: () => [...leasesOf.values()].forEach((other) => other.wake()),
  });
  const relay = new OutboxRelay({
    pool,
    lease: leases.candidate('outbox'),
    ensureStream: async () => {
      stream.isThere = true;
      return { createdAt: stream.createdAt };
    },
    publish: async (events) => store(events),
    onError: (error) => errors.push(error),
    pollIntervalMs: 10,
    streamCheckIntervalMs: 20,
    ...change,
  });
  relays.push(relay);
  leasesOf.set(relay, leases);
  relay.start();
  void leases.start();
  return relay;
}

async function append(
  client: PoolClient | Database['pool'],
  aggregate: string,
  payload: unknown,
): Promise<void> {
  const text = `INSERT INTO outbox (id, subject, aggregate_id, payload) VALUES (gen_random_uuid(), 'events.shop.sold.v1', $1, $2)`;
  await client.query(text, [aggregate, JSON.stringify(payload)]);
}

/** Inserts events that were published earlier. */
async function writeHistory(count: number): Promise<void> {
  await shop.fresh.query(
    `INSERT INTO outbox (id, subject, aggregate_id, payload)
     SELECT gen_random_uuid(), 'events.shop.sold.v1', 'past', to_json(n) FROM generate_series(1, $1::int) n`,
    [count],
  );
  await shop.fresh.query('DELETE FROM outbox_queue');
}

const payloads = (): unknown[] => stream.stored.map(({ payload }) => JSON.parse(payload) as unknown);
const waiting = async (): Promise<number> => (await shop.fresh.query('SELECT FROM outbox_queue')).length;
const allIds = async (): Promise<string[]> =>
  (await shop.fresh.query<{ id: string }>('SELECT id FROM outbox ORDER BY seq')).map(({ id }) => id);

function gate(): { opened: Promise<void>; open(): void } {
  let open!: () => void;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}

describe('OutboxRelay', () => {
  it('publishes each event once, within a short time', async () => {
    startRelay();
    for (const payload of [1, 2, 3]) await append(shop.database.pool, 'tea', payload);
    await eventually(() => expect(payloads()).toEqual([1, 2, 3]));
    await eventually(async () => expect(await waiting()).toBe(0));
    await append(shop.database.pool, 'tea', 4);
    await eventually(() => expect(payloads()).toEqual([1, 2, 3, 4]));
    expect(stream.sent).toHaveLength(4);
    expect(errors).toEqual([]);
  });

  it('publishes immediately when it is woken, without waiting for its next poll', async () => {
    const relay = startRelay({ pollIntervalMs: 3_600_000 });
    await append(shop.database.pool, 'tea', 1);
    relay.wake();
    await eventually(() => expect(payloads()).toEqual([1]));
    await append(shop.database.pool, 'tea', 2);
    for (let times = 0; times < 100; times++) relay.wake();
    await eventually(() => expect(payloads()).toEqual([1, 2]));
  });

  it('publishes no event that was rolled back', async () => {
    startRelay();
    const failing = transaction(shop.database.pool, async (client) => {
      await append(client, 'tea', 'never');
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    await append(shop.database.pool, 'tea', 'after');
    await eventually(() => expect(payloads()).toEqual(['after']));
  });

  it('publishes the events of a transaction that commits late, without delaying other events', async () => {
    startRelay();
    const [written, end] = [gate(), gate()];
    const late = transaction(shop.database.pool, async (client) => {
      await append(client, 'slow', 'late');
      written.open();
      await end.opened;
    });
    await written.opened;
    await append(shop.database.pool, 'quick', 'early');
    await eventually(() => expect(payloads()).toEqual(['early']));
    end.open();
    await late;
    await eventually(() => expect(payloads()).toEqual(['early', 'late']));
  });

  it('publishes in pages of bounded number and size', async () => {
    const pages: OutboxEvent[][] = [];
    const publish = async (events: OutboxEvent[]) => {
      pages.push(events);
      store(events);
    };
    await writeHistory(0);
    await shop.fresh.query(
      `INSERT INTO outbox (id, subject, aggregate_id, payload)
       SELECT gen_random_uuid(), 'events.shop.sold.v1', 'tea', to_json(n) FROM generate_series(1, 1201) n`,
    );
    startRelay({ publish });
    await eventually(() => expect(stream.stored.length).toBe(1_201));
    expect(pages.map(({ length }) => length)).toEqual([500, 500, 201]);
    pages.splice(0);
    await shop.fresh.query(
      `INSERT INTO outbox (id, subject, aggregate_id, payload)
       SELECT gen_random_uuid(), 'events.shop.sold.v1', 'tea', to_json(repeat('x', 900000)) FROM generate_series(1, 20) n`,
    );
    await eventually(() => expect(stream.stored.length).toBe(1_221));
    expect(Math.max(...pages.map(({ length }) => length))).toBe(9);
    expect(stream.sent.map(({ id }) => id)).toEqual(await allIds());
  });
});

/** A deterministic random number generator. */
function chance(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state % below;
  };
}

describe('OutboxRelay under concurrent writers', () => {
  /**
   * Runs transactions that allocate their ids early or late, hold their rows, roll back, and change one or two goods.
   * Each change of a good increments its version under the row lock and appends an event with the version.
   */
  async function writeAtRandom(seed: number, writers: number, rounds: number): Promise<void> {
    const pick = chance(seed);
    const goods = ['a', 'b', 'c'];
    await shop.fresh.query(`INSERT INTO goods SELECT unnest($1::text[]) ON CONFLICT DO NOTHING`, [goods]);
    const turn = async () => {
      for (let turns = pick(4); turns > 0; turns--) await new Promise(setImmediate);
    };
    const write = () =>
      transaction(shop.database.pool, async (client) => {
        if (pick(2) === 0) await client.query('SELECT pg_current_xact_id()');
        // All transactions lock goods in the same order, so that they do not deadlock.
        const chosen = goods.filter(() => pick(3) === 0);
        for (const good of chosen) {
          await turn();
          const { rows } = await client.query<{ version: number }>(
            'UPDATE goods SET version = version + 1 WHERE id = $1 RETURNING version',
            [good],
          );
          await turn();
          await append(client, good, { good, version: rows[0]!.version });
        }
        await turn();
        if (pick(6) === 0) throw new Error('rolled back');
      }).catch((error: Error) => {
        if (error.message !== 'rolled back') throw error;
      });
    const writer = async () => {
      for (let round = 0; round < rounds; round++) await write();
    };
    await Promise.all(Array.from({ length: writers }, writer));
  }

  function expectOrder(): void {
    const versions: Record<string, number[]> = {};
    for (const { good, version } of payloads() as { good: string; version: number }[])
      (versions[good] ??= []).push(version);
    for (const [good, published] of Object.entries(versions))
      expect({ good, published }).toEqual({ good, published: published.map((_, index) => index + 1) });
  }

  const sameIds = async (): Promise<void> =>
    expect(stream.stored.map(({ id }) => id).sort()).toEqual((await allIds()).sort());

  it.each([1, 2, 3, 4, 5])('publishes every event in the order of its aggregate (seed %i)', async (seed) => {
    startRelay();
    await writeAtRandom(seed, 12, 30);
    await eventually(sameIds);
    expectOrder();
    expect(errors).toEqual([]);
  });

  it.each([6, 7, 8])(
    'publishes every event in order while it fails and replicas take over (seed %i)',
    async (seed) => {
      const pick = chance(seed);
      const publish = async (events: OutboxEvent[]) => {
        // A page that fails may be stored in part: its first events, because they are sent in order.
        const isFailing = pick(4) === 0;
        store(isFailing ? events.slice(0, pick(events.length + 1)) : events);
        if (isFailing) throw new Error('outcome unknown');
      };
      startRelay({ publish });
      startRelay({ publish });
      const writing = writeAtRandom(seed, 8, 25);
      await stopReplica(relays.shift()!);
      startRelay({ publish });
      await writing;
      await eventually(sameIds);
      expectOrder();
    },
  );

  it.each([9, 10, 11])(
    'publishes every event in order while it rebuilds a new stream (seed %i)',
    async (seed) => {
      startRelay();
      await writeAtRandom(seed, 8, 20);
      await eventually(sameIds);
      const writing = writeAtRandom(seed + 100, 12, 25);
      stream = newStream();
      await writing;
      await eventually(sameIds);
      expectOrder();
    },
  );
});

describe('OutboxRelay when publishing fails', () => {
  it('publishes the same ids again when the outcome is unknown', async () => {
    let failures = 2;
    for (const payload of [1, 2]) await append(shop.database.pool, 'tea', payload);
    startRelay({
      publish: async (events) => {
        store(events);
        if (failures-- > 0) throw new Error('outcome unknown');
      },
    });
    await eventually(() => expect(stream.sent).toHaveLength(5));
    const [first, second] = await allIds();
    // After a failure the relay tries the first event alone.
    expect(stream.sent.map(({ id }) => id)).toEqual([first, second, first, first, second]);
    expect(errors).toHaveLength(2);
    await eventually(async () => expect(await waiting()).toBe(0));
  });

  it('publishes no event twice when the connection fails before published events leave the queue', async () => {
    for (const payload of [1, 2]) await append(shop.database.pool, 'tea', payload);
    const { pool } = shop.database;
    const query = pool.query.bind(pool) as (...args: unknown[]) => Promise<never>;
    let failures = 2;
    const spy = jest.spyOn(pool, 'query').mockImplementation((async (...args: unknown[]) => {
      const isPage = (args[0] as { name?: string }).name === 'outbox-page';
      if (!isPage || stream.sent.length === 0 || failures-- <= 0) return query(...args);
      throw new Error('connection lost');
    }) as never);
    startRelay();
    await eventually(async () => expect(await waiting()).toBe(0));
    spy.mockRestore();
    expect(errors).toHaveLength(2);
    await append(shop.database.pool, 'tea', 3);
    await eventually(() => expect(payloads()).toEqual([1, 2, 3]));
    expect(stream.sent).toHaveLength(3);
  });

  it('publishes the last page again, under the same ids, after a relay that died', async () => {
    const dead = startRelay({ pollIntervalMs: 3_600_000, streamCheckIntervalMs: 3_600_000 });
    await append(shop.database.pool, 'tea', 1);
    dead.wake();
    await eventually(() => expect(stream.sent).toHaveLength(1));
    expect(await waiting()).toBe(1);
    // Its lease ends without `stop`, as after a kill.
    await leasesOf.get(dead)!.stop();
    startRelay();
    await append(shop.database.pool, 'tea', 2);
    await eventually(() => expect(payloads()).toEqual([1, 2]));
    expect(stream.sent.map(({ payload }) => JSON.parse(payload) as unknown)).toEqual([1, 1, 2]);
  });

  it('removes published events from the queue when it stops, and within a second or two otherwise', async () => {
    const relay = startRelay({ pollIntervalMs: 3_600_000, streamCheckIntervalMs: 3_600_000 });
    await append(shop.database.pool, 'tea', 1);
    relay.wake();
    await eventually(() => expect(stream.sent).toHaveLength(1));
    await eventually(async () => expect(await waiting()).toBe(0));
    await append(shop.database.pool, 'tea', 2);
    relay.wake();
    await eventually(() => expect(stream.sent).toHaveLength(2));
    await relay.stop();
    expect(await waiting()).toBe(0);
    expect(stream.sent).toHaveLength(2);
  });

  it('publishes no event after an event that fails, to preserve the order', async () => {
    const poison = new Error('too large');
    let isPoisoned = true;
    for (const payload of ['poison', 'next']) await append(shop.database.pool, 'tea', payload);
    startRelay({
      publish: async (events) => {
        if (isPoisoned) throw poison;
        store(events);
      },
    });
    await eventually(() => expect(errors.length).toBeGreaterThanOrEqual(2));
    expect(errors[0]).toBe(poison);
    expect(stream.stored).toEqual([]);
    isPoisoned = false;
    await eventually(() => expect(payloads()).toEqual(['poison', 'next']));
  });

  it('preserves the order when the stream rejects the first event and would store the next', async () => {
    let rejections = 2;
    for (const payload of [1, 2, 3]) await append(shop.database.pool, 'tea', payload);
    startRelay({
      publish: async (events) => {
        // The stream gets free space in the middle of the second attempt.
        const isFull = rejections-- > 0;
        if (!isFull) return store(events);
        if (rejections === 0) store(events.slice(1));
        throw new Error('insufficient resources');
      },
    });
    await eventually(async () => expect(await waiting()).toBe(0));
    expect(payloads()).toEqual([1, 2, 3]);
  });

  it('waits longer after each failure', async () => {
    const triedAtMs: number[] = [];
    startRelay({
      ensureStream: async () => {
        triedAtMs.push(performance.now());
        throw new Error('the bus is away');
      },
    });
    await eventually(() => expect(triedAtMs).toHaveLength(4));
    const [first, second, third] = triedAtMs.slice(1).map((atMs, index) => atMs - triedAtMs[index]!);
    // The tolerance allows for timers that fire early.
    expect(first).toBeGreaterThanOrEqual(490);
    expect(second).toBeGreaterThanOrEqual(990);
    expect(third).toBeGreaterThanOrEqual(1_990);
  });

  it('waits after a failure even if it is woken', async () => {
    const triedAtMs: number[] = [];
    const relay = startRelay({
      ensureStream: async () => {
        triedAtMs.push(performance.now());
        throw new Error('the bus is away');
      },
    });
    await eventually(() => expect(triedAtMs).toHaveLength(1));
    while (triedAtMs.length < 2) {
      relay.wake();
      await new Promise(setImmediate);
    }
    // The tolerance allows for timers that fire early.
    expect(triedAtMs[1]! - triedAtMs[0]!).toBeGreaterThanOrEqual(490);
  });
});

describe('OutboxRelay with a full stream', () => {
  it('publishes the events that fit, holds the others back in order, and counts them', async () => {
    let room = 2;
    let backlog = -1;
    for (const payload of [1, 2, 3, 4, 5]) await append(shop.database.pool, 'tea', payload);
    startRelay({
      countFitting: async ({ length }) => Math.min(length, room),
      publish: async (events) => {
        room -= events.length;
        store(events);
      },
      onBacklog: (rows) => (backlog = rows),
    });
    await eventually(() => expect(payloads()).toEqual([1, 2]));
    await append(shop.database.pool, 'tea', 6);
    await eventually(() => expect(backlog).toBe(4));
    expect(payloads()).toEqual([1, 2]);
    room = 10;
    await eventually(() => expect(payloads()).toEqual([1, 2, 3, 4, 5, 6]));
    await eventually(() => expect(backlog).toBe(0));
    expect(errors).toEqual([]);
  });

  it('resumes the rebuild of a lost stream where it was held back', async () => {
    let room = 3;
    await writeHistory(8);
    await shop.fresh.query(`UPDATE outbox_stream SET created_at = 'lost'`);
    startRelay({
      countFitting: async ({ length }) => Math.min(length, room),
      publish: async (events) => {
        room -= events.length;
        store(events);
      },
    });
    await eventually(() => expect(payloads()).toEqual([1, 2, 3]));
    await append(shop.database.pool, 'tea', 9);
    room = 100;
    await eventually(() => expect(payloads()).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]));
    expect(stream.sent).toHaveLength(9);
  });
});

describe('OutboxRelay in several replicas', () => {
  it('publishes from one replica, and from another replica when the first stops', async () => {
    const busy = [0, 0];
    const counting = (index: number) => ({
      publish: async (events: OutboxEvent[]) => {
        busy[index]! += events.length;
        store(events);
      },
    });
    const first = startRelay(counting(0));
    await append(shop.database.pool, 'tea', 1);
    await eventually(() => expect(busy).toEqual([1, 0]));
    startRelay(counting(1));
    for (const payload of [2, 3, 4]) await append(shop.database.pool, 'tea', payload);
    await eventually(() => expect(busy).toEqual([4, 0]));
    await stopReplica(first);
    await append(shop.database.pool, 'tea', 5);
    await eventually(() => expect(busy).toEqual([4, 1]));
  });

  it('publishes from another replica when the connection of the first is killed', async () => {
    startRelay();
    startRelay();
    await append(shop.database.pool, 'tea', 1);
    await eventually(() => expect(payloads()).toEqual([1]));
    await shop.fresh.breakConnections();
    await eventually(() => append(shop.database.pool, 'tea', 2));
    await eventually(() => expect(payloads()).toEqual([1, 2]));
  });

  it('runs no statements except lease renewals while it stands by', async () => {
    startRelay();
    await append(shop.database.pool, 'tea', 1);
    await eventually(() => expect(payloads()).toEqual([1]));
    const { url } = shop.database.dataSource.options as { url: string };
    const standby = await Database.open({ app: 'standby', url, entities: [], maxConnections: 1 });
    const relay = startRelay({ pool: standby.pool });
    await leasesOf.get(relay)!.start();
    const taken = jest.spyOn(standby.pool, 'connect');
    const untilMs = performance.now() + 1_000;
    while (performance.now() < untilMs) {
      relay.wake();
      await new Promise(setImmediate);
    }
    expect(taken.mock.calls.length).toBeLessThanOrEqual(5);
    await stopRelays();
    await standby.close();
  });

  it('publishes from another replica when the first one cannot renew its lease', async () => {
    const isLed = () => Promise.resolve();
    const shortMs = 1_000;
    const first = startRelay({ publish: isLed }, shortMs);
    await append(shop.database.pool, 'tea', 1);
    await eventually(async () => expect(await waiting()).toBe(0));
    startRelay({}, shortMs);
    // Stops renewals without a release, which simulates a kill.
    jest.spyOn(leasesOf.get(first)!, 'wake').mockReturnValue();
    const { holder } = leasesOf.get(first)!;
    await eventually(async () =>
      expect(await shop.fresh.query('SELECT holder FROM leases')).not.toEqual([{ holder }]),
    );
    await append(shop.database.pool, 'tea', 2);
    await eventually(() => expect(payloads()).toEqual([2]));
  });

  it('waits for a free connection of a small pool, and uses only one', async () => {
    const { url } = shop.database.dataSource.options as { url: string };
    const small = await Database.open({ app: 'small', url, entities: [], maxConnections: 2 });
    const end = gate();
    const hogs = [1, 2].map(() => transaction(small.pool, () => end.opened));
    startRelay({ pool: small.pool });
    await append(shop.database.pool, 'tea', 1);
    await eventually(() => expect(errors.length).toBeGreaterThan(0));
    end.open();
    await Promise.all(hogs);
    await eventually(() => expect(payloads()).toEqual([1]));
    await Promise.all(Array.from({ length: 50 }, () => small.pool.query('SELECT 1')));
    expect(small.pool.totalCount).toBe(2);
    await stopRelays();
    await small.close();
  });
});

describe('OutboxRelay with a lost stream', () => {
  it('republishes all events in order, and then publishes new ones', async () => {
    const rebuilt: string[] = [];
    startRelay({ onRebuild: (reason) => rebuilt.push(reason) });
    for (const payload of [1, 2, 3]) await append(shop.database.pool, 'tea', payload);
    await eventually(() => expect(payloads()).toEqual([1, 2, 3]));
    stream = newStream();
    await eventually(() => expect(payloads()).toEqual([1, 2, 3]));
    await append(shop.database.pool, 'tea', 4);
    await eventually(() => expect(payloads()).toEqual([1, 2, 3, 4]));
    expect(rebuilt).toEqual(['the stream is new: all events are published again']);
  });

  it('publishes only the queued events to the very first stream', async () => {
    await writeHistory(10);
    const rebuilt: string[] = [];
    await append(shop.database.pool, 'tea', 'new');
    startRelay({ onRebuild: (reason) => rebuilt.push(reason) });
    await eventually(() => expect(payloads()).toEqual(['new']));
    expect(rebuilt).toEqual([]);
  });

  it('resumes the rebuild when the connections of the pool break', async () => {
    await writeHistory(1_400);
    await shop.fresh.query(`UPDATE outbox_stream SET created_at = 'lost'`);
    let pages = 0;
    startRelay({
      publish: async (events) => {
        store(events);
        if (++pages === 2) await shop.fresh.breakConnections();
      },
    });
    await eventually(() => expect(stream.stored.length).toBe(1_400));
    expect(payloads()).toEqual(Array.from({ length: 1_400 }, (_, index) => index + 1));
    // At most one page is published twice.
    expect([1_400, 1_900]).toContain(stream.sent.length);
    await eventually(async () =>
      expect(await shop.fresh.query('SELECT rebuilt_seq FROM outbox_stream')).toEqual([
        { rebuilt_seq: null },
      ]),
    );
  });

  it('restarts the rebuild when the stream is lost again', async () => {
    await writeHistory(2_000);
    await shop.fresh.query(`UPDATE outbox_stream SET created_at = 'lost'`);
    let pages = 0;
    startRelay({
      publish: async (events) => {
        if (++pages === 2) {
          stream = newStream();
          throw new Error('no such stream');
        }
        store(events);
      },
    });
    await eventually(() => expect(stream.stored.length).toBe(2_000));
    expect(payloads()).toEqual(Array.from({ length: 2_000 }, (_, index) => index + 1));
  });

  it('preserves the order when a transaction commits before the position of the rebuild', async () => {
    await writeHistory(600);
    await shop.fresh.query(`INSERT INTO goods VALUES ('tea')`);
    const [written, end] = [gate(), gate()];
    const count = async (client: PoolClient) => {
      const { rows } = await client.query<{ version: number }>(
        `UPDATE goods SET version = version + 1 WHERE id = 'tea' RETURNING version`,
      );
      await append(client, 'tea', `version ${rows[0]!.version}`);
    };
    const first = transaction(shop.database.pool, async (client) => {
      await count(client);
      written.open();
      await end.opened;
    });
    await written.opened;
    // More than a page of older events, so that the rebuild needs several pages.
    await writeHistory(600);
    await shop.fresh.query(`UPDATE outbox_stream SET created_at = 'lost'`);
    let pages = 0;
    startRelay({
      publish: async (events) => {
        store(events);
        // The first change commits before the position of the rebuild; the second follows before the next page.
        if (++pages !== 2) return;
        end.open();
        await first;
        await transaction(shop.database.pool, count);
      },
    });
    await eventually(() => expect(stream.stored.length).toBe(1_202));
    expect(payloads().filter((payload) => typeof payload === 'string')).toEqual(['version 1', 'version 2']);
  });

  it('rebuilds a large table in linear time', async () => {
    await writeHistory(200_000);
    await shop.fresh.query('ANALYZE');
    await shop.fresh.query(`UPDATE outbox_stream SET created_at = 'lost'`);
    const takenMs: number[] = [];
    let lastMs = performance.now();
    startRelay({
      publish: async (events) => {
        takenMs.push(performance.now() - lastMs);
        stream.stored.push(...events);
        lastMs = performance.now();
      },
    });
    await eventually(() => expect(stream.stored.length).toBe(200_000));
    // Compares the fastest of 30 pages, because other work of the machine slows down single pages.
    const [first, last] = [Math.min(...takenMs.slice(1, 31)), Math.min(...takenMs.slice(-30))];
    // If a page scanned or sorted the whole table, it would take ten times as long.
    expect(Math.max(first, last)).toBeLessThan(4 * Math.min(first, last));
  });
});

describe('OutboxRelay with JetStream', () => {
  it('publishes thousands of events a second to JetStream', async () => {
    const app = `shop-${randomBytes(6).toString('hex')}`;
    const bus = await BusConnection.open({ app, url: process.env['TEST_NATS_URL']! });
    const publisher = new EventPublisher(bus);
    const streams = await bus.openEvents();
    await provisionStream(streams, { app, consumers: [] });
    const total = 10_000;
    await shop.fresh.query(
      `INSERT INTO outbox (id, subject, aggregate_id, payload)
     SELECT gen_random_uuid(), $1, 'tea', json_build_object('n', n, 'text', repeat('x', 700)) FROM generate_series(1, $2::int) n`,
      [`${eventPrefix(app)}.sold.v1`, total],
    );
    const startMs = performance.now();
    let published = 0;
    startRelay({
      ensureStream: () => publisher.checkStream(),
      publish: (events) => publisher.publish(events),
      onPublished: (count) => (published += count),
    });
    await eventually(() => expect(published).toBe(total));
    const perSecond = Math.round((total / (performance.now() - startMs)) * 1_000);
    const manager = await streams.jetstreamManager();
    expect((await manager.streams.info(streamOf(app))).state.messages).toBe(total);
    await stopRelays();
    await manager.streams.delete(streamOf(app));
    await streams.close();
    await bus.close();
    // Typically several thousand; the lower bound allows for a slow machine.
    expect(perSecond).toBeGreaterThan(300);
  });
});
