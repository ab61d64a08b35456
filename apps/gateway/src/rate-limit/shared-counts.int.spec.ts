import {
  eventually,
  openTcpLink,
  startRedis,
  startTlsRedis,
  TestAuthority,
  type RedisServer,
} from '@tollbridge/testing';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { settings } from '../config';
import type { Rate } from './rate';
import { SharedCounts, type SharedCountsOptions } from './shared-counts';

const url = process.env['TEST_REDIS_URL']!;
const opened: { close(): unknown }[] = [];
let lines: string[];
const logger = {
  info: (...line: unknown[]) => void lines.push(String(line.at(-1))),
  warn: (...line: unknown[]) => void lines.push(String(line.at(-1))),
};

// Longer than in a gateway, because no count may be lost on a busy machine.
const patient: SharedCountsOptions = { timeoutMs: 10_000 };
/** The time-out of a gateway, for a server that hangs. */
const asGateway: SharedCountsOptions = { timeoutMs: settings.GATEWAY_REDIS_TIMEOUT_MS.default! };

async function open(at = url, options = patient): Promise<SharedCounts> {
  const counts = new SharedCounts(at, logger, options);
  opened.push(counts);
  await counts.opened;
  return counts;
}

/** Opens the counts with the clock of the test. */
const openAt = (nowMicros: () => number) => open(url, { ...patient, nowMicros });

beforeEach(() => {
  lines = [];
});
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close();
});

const rate = (perMinute: number, burst: number) => ({ perMinute, burst });
const allowed = (taken: ({ isAllowed: boolean } | undefined)[]) =>
  taken.filter((one) => one?.isAllowed).length;

const minuteMicros = 60_000_000;

/** Sends requests at times of a simulated clock, and returns the times of the allowed ones. */
async function allowedTimes(of: Rate, times: readonly number[]): Promise<number[]> {
  let now = 0;
  const counts = await openAt(() => now);
  const name = randomUUID();
  const passed: number[] = [];
  for (const time of times) {
    now = time;
    const taken = (await counts.take(name, of))!;
    if (taken.isAllowed) passed.push(time);
    else expect(taken.remaining).toBe(0);
  }
  return passed;
}

/** Arrival times of clients that alternate between a steady rate, bursts and pauses. */
function randomArrivals(count: number, of: Rate): number[] {
  const mean = minuteMicros / of.perMinute;
  let time = 1_700_000_000_000_000;
  return Array.from({ length: count }, () => {
    const turn = Math.random();
    const gap = turn < 0.6 ? 0 : turn < 0.98 ? Math.random() * 2 * mean : Math.random() * 2 * minuteMicros;
    return (time += Math.floor(gap));
  });
}

/** The highest number of times within 60 seconds, both ends included. */
function mostInAMinute(times: readonly number[]): number {
  let from = 0;
  return times.reduce((most, time, at) => {
    while (time - times[from]! > minuteMicros) from++;
    return Math.max(most, at - from + 1);
  }, 0);
}

describe('a rate limit', () => {
  const rates: Rate[] = [
    { perMinute: 100, burst: 200 },
    { perMinute: 100, burst: 101 },
    { perMinute: 7, burst: 500 },
    { perMinute: 20, burst: 20 },
    { perMinute: 1, burst: 1 },
    { perMinute: 7, burst: 3 },
    { perMinute: 1_500, burst: 1_500 },
  ];
  it.each(rates)('allows at most its burst in any 60 seconds: %j', async (one) => {
    for (let round = 0; round < 4; round++) {
      const passed = await allowedTimes(one, randomArrivals(Math.max(300, 3 * one.burst), one));
      expect(passed.length).toBeGreaterThan(0);
      expect(mostInAMinute(passed)).toBeLessThanOrEqual(one.burst);
    }
  });

  it.each(rates)('allows its rate in the long run to a client that sends more: %j', async (one) => {
    const minutes = one.burst > 1_000 ? 3 : 12;
    const perMinute = Math.min(one.perMinute, one.burst);
    const sentPerMinute = Math.max(3 * perMinute, 60);
    const gap = minuteMicros / sentPerMinute;
    const times = Array.from({ length: sentPerMinute * minutes }, (_, at) => 1e15 + Math.floor(at * gap));
    const passed = await allowedTimes(one, times);
    expect(mostInAMinute(passed)).toBeLessThanOrEqual(one.burst);
    // In a large window, a minute is up to 0.1% longer.
    const reached = one.burst > 1_000 ? 0.99 : 1;
    expect(passed.length / (perMinute * (minutes - 1))).toBeGreaterThanOrEqual(reached);
  });

  it('allows 100 at once and 200 within the first minute for 100 a minute, burst 200', async () => {
    const start = 1e15;
    const times = [
      ...Array<number>(150).fill(start),
      ...Array.from({ length: 600 }, (_, at) => start + at * 1e5),
    ];
    const passed = await allowedTimes(rate(100, 200), times);
    expect(passed.filter((time) => time === start)).toHaveLength(100);
    expect(passed.filter((time) => time <= start + minuteMicros)).toHaveLength(199);
  });

  it('allows 20 at once and returns the time to wait for 20 a minute, burst 20', async () => {
    let now = 1e15;
    const counts = await openAt(() => now);
    const name = randomUUID();
    for (let left = 19; left >= 0; left--)
      expect(await counts.take(name, rate(20, 20))).toMatchObject({ isAllowed: true, remaining: left });
    now += 15_000_000;
    const rejected = { isAllowed: false, remaining: 0, waitMs: 45_000.001, untilFullMs: 45_000.001 };
    expect(await counts.take(name, rate(20, 20))).toEqual(rejected);
    now += 45_000_001;
    expect(await counts.take(name, rate(20, 20))).toMatchObject({ isAllowed: true, remaining: 19 });
  });

  it('stores at most 1,000 entries for a window of 100,000 requests', async () => {
    const of = rate(100_000, 100_000);
    let now = 1e15;
    const counts = await openAt(() => now);
    const redis = new Redis(url);
    opened.push({ close: () => redis.disconnect() });
    const name = randomUUID();
    for (let at = 0; at < 3_000; at++) {
      now += 25_000;
      expect(await counts.take(name, of)).toMatchObject({ isAllowed: true });
    }
    expect(await redis.llen(`gateway:window:${name}`)).toBeLessThanOrEqual(1_002);
  });
});

describe('a bucket', () => {
  it('allows its capacity at once, and returns the remainder and the time to wait', async () => {
    const counts = await open();
    const bucket = randomUUID();
    for (let left = 2; left >= 0; left--)
      expect(await counts.take(bucket, rate(1, 4))).toMatchObject({ isAllowed: true, remaining: left });
    const rejected = (await counts.take(bucket, rate(1, 4)))!;
    expect(rejected).toMatchObject({ isAllowed: false, remaining: 0 });
    expect(rejected.waitMs).toBeGreaterThan(55_000);
    expect(rejected.waitMs).toBeLessThanOrEqual(60_000);
    expect(rejected.untilFullMs).toBeGreaterThan(175_000);
    expect(rejected.untilFullMs).toBeLessThanOrEqual(180_000);
  });

  it('refills at its rate', async () => {
    let now = 1e15;
    const counts = await openAt(() => now);
    const bucket = randomUUID();
    const everyTenSeconds = rate(6, 11);
    for (let taken = 0; taken < 5; taken++) await counts.take(bucket, everyTenSeconds);
    const rejected = { isAllowed: false, waitMs: 10_000 };
    expect(await counts.take(bucket, everyTenSeconds)).toMatchObject(rejected);
    now += 9_999_000;
    expect(await counts.take(bucket, everyTenSeconds)).toMatchObject({ isAllowed: false, waitMs: 1 });
    now += 1_000;
    expect(await counts.take(bucket, everyTenSeconds)).toMatchObject({ isAllowed: true });
    expect(await counts.take(bucket, everyTenSeconds)).toMatchObject(rejected);
  });

  it('refills by the clock of Redis', async () => {
    const counts = await open();
    const bucket = randomUUID();
    const everySecond = rate(60, 61);
    const startMs = performance.now();
    await counts.take(bucket, everySecond);
    await eventually(async () =>
      expect(await counts.take(bucket, everySecond)).toMatchObject({ isAllowed: true }),
    );
    expect(performance.now() - startMs).toBeGreaterThanOrEqual(990);
  });

  it.each([
    ['bucket', (most: number) => rate(1, most + 1)],
    ['window', (most: number) => rate(most, most)],
  ])(
    'allows exactly the quota of the %s for 50 concurrent requests from two replicas',
    async (_what, rateOf) => {
      const replicas = [await open(), await open()];
      for (const most of [1, 7, 49, 50, 51]) {
        const bucket = randomUUID();
        const takes = Array.from({ length: 50 }, (_, at) => replicas[at % 2]!.take(bucket, rateOf(most)));
        expect(allowed(await Promise.all(takes))).toBe(Math.min(50, most));
      }
    },
  );

  it('expires in Redis when it is full, and is separate for each client', async () => {
    const counts = await open();
    const redis = new Redis(url);
    opened.push({ close: () => redis.disconnect() });
    const bucket = randomUUID();
    await counts.take(bucket, rate(6_000, 6_010));
    expect(await redis.pttl(`gateway:rate:${bucket}`)).toBeLessThanOrEqual(10);
    await eventually(async () => expect(await redis.exists(`gateway:rate:${bucket}`)).toBe(0));
    await counts.take(bucket, rate(1, 1));
    expect(await counts.take(randomUUID(), rate(1, 1))).toMatchObject({ isAllowed: true });
  });

  it.each([
    [
      'bucket',
      'rate',
      rate(600, 602),
      200,
      (redis: Redis, key: string, text: string) => redis.set(key, text),
    ],
    ['window', 'window', rate(2, 2), 0, (redis: Redis, key: string, text: string) => redis.lpush(key, text)],
  ])(
    'does not block a client of a %s after the clock was set back, or because of a corrupt value',
    async (_what, prefix, of, mostMs, store) => {
      const counts = await open();
      const redis = new Redis(url);
      opened.push({ close: () => redis.disconnect() });
      const ahead = String(Date.now() * 1000 + 1e15);
      const name = randomUUID();
      await store(redis, `gateway:${prefix}:${name}`, prefix === 'rate' ? ahead : `${ahead}:0:2`);
      expect((await counts.take(name, of))!.waitMs).toBeLessThanOrEqual(mostMs);
      const other = randomUUID();
      await store(redis, `gateway:${prefix}:${other}`, 'nonsense');
      expect(await counts.take(other, of)).toMatchObject({ isAllowed: true, remaining: 1 });
    },
  );

  it('counts a request within 5 ms on average', async () => {
    const counts = await open();
    const bucket = randomUUID();
    const rounds = 2_000;
    const startMs = performance.now();
    for (let round = 0; round < rounds; round++) await counts.take(bucket, rate(100_000, 100_000));
    const eachMs = (performance.now() - startMs) / rounds;
    process.stdout.write(`one request at a time: ${eachMs.toFixed(3)} ms for its count\n`);
    expect(eachMs).toBeLessThan(5);
  });
});

describe('the limit of failures', () => {
  it('reports over the limit after the last allowed failure, until the window ends', async () => {
    const counts = await open();
    const redis = new Redis(url);
    opened.push({ close: () => redis.disconnect() });
    const name = randomUUID();
    const endsIn = (ms: number) => redis.pexpire(`gateway:failed:${name}`, ms);
    const fail = () => counts.fail(name, 3, 60_000);
    const found = [await fail()];
    expect(found[0]!.untilMs).toBeLessThanOrEqual(60_000);
    // The first half of the window passes at once. Later failures do not restart the window.
    await endsIn(30_000);
    while (found.length < 4) found.push(await fail());
    expect(found.map((one) => one!.isOver)).toEqual([false, false, false, true]);
    expect(found[3]!.untilMs).toBeLessThanOrEqual(30_000);
    await endsIn(1);
    await eventually(async () => expect(await fail()).toMatchObject({ isOver: false }));
  });
});

describe('SharedCounts with an unreliable Redis server', () => {
  let server: RedisServer;
  beforeEach(async () => {
    server = await startRedis();
    opened.push({ close: () => server.remove() });
  });

  it('counts again after the server loses all data and scripts', async () => {
    const counts = await open(server.url);
    const redis = new Redis(server.url);
    opened.push({ close: () => redis.disconnect() });
    await counts.take('bucket', rate(1, 1));
    expect(await counts.take('bucket', rate(1, 1))).toMatchObject({ isAllowed: false });
    const taking = Promise.all(Array.from({ length: 200 }, () => counts.take('other', rate(1, 1_000))));
    await redis.flushall();
    await redis.script('FLUSH');
    expect((await taking).every((taken) => taken?.isAllowed)).toBe(true);
    expect(await counts.take('bucket', rate(1, 1))).toMatchObject({ isAllowed: true });
    expect(lines).toEqual([]);
  });

  it('waits at most the default time-out for a hanging server, logs it once, and uses the server again later', async () => {
    const counts = await open(server.url, asGateway);
    await eventually(async () => expect(await counts.take('bucket', rate(100, 100))).toBeDefined());
    lines = [];
    server.hang();
    // The signal takes a moment to arrive.
    await eventually(async () => expect(await counts.take('bucket', rate(100, 100))).toBeUndefined());
    const times: number[] = [];
    const waits = () => times.filter((ms) => ms >= asGateway.timeoutMs - 50);
    while (times.length < 40 || waits().length < 3) {
      const startMs = performance.now();
      const taken = await Promise.all(
        Array.from({ length: 20 }, () => counts.take('bucket', rate(100, 100))),
      );
      expect(taken.filter(Boolean)).toEqual([]);
      times.push(performance.now() - startMs);
      await sleep(5);
    }
    // Ignores the longest wait, because the machine may stall once.
    expect(waits().sort((a, b) => b - a)[1]).toBeLessThan(1_500);
    // After the first failure, only the probe of Redis waits.
    expect(times.filter((ms) => ms < 20).length).toBeGreaterThan(20);
    expect(lines).toEqual(['request counting failed']);
    server.goOn();
    await eventually(async () => expect(await counts.take('bucket', rate(100, 100))).toBeDefined());
    expect(lines).toEqual(['request counting failed', 'request counting resumed']);
  });

  it('loses no count while the server stalls for 150 ms', async () => {
    const counts = await open(server.url, asGateway);
    const countedWhileStalled = async () => {
      server.hang();
      // The signal takes a moment to arrive.
      await sleep(30);
      const taking = Promise.all(Array.from({ length: 20 }, () => counts.take('bucket', rate(6e5, 6e5))));
      await sleep(120);
      server.goOn();
      return allowed(await taking);
    };
    // A busy machine may prolong a stall.
    await eventually(async () => expect(await countedWhileStalled()).toBe(20), { everyMs: 300 });
  });

  it('opens a new connection when the server never answers on the current one', async () => {
    const counts = await open(server.url, asGateway);
    server.hang();
    await eventually(async () => expect(await counts.take('bucket', rate(1, 1))).toBeUndefined());
    const connections = () => clientsOf(server.url);
    await eventually(
      async () => {
        await counts.take('bucket', rate(1, 1));
        expect(isReconnecting(counts)).toBe(true);
      },
      { everyMs: 50 },
    );
    server.goOn();
    await eventually(async () => expect(await counts.take('fresh', rate(1, 1))).toBeDefined());
    await eventually(async () => expect(await connections()).toBe(1));
  });

  it('uses a server again that restarts under load, and logs two lines', async () => {
    const counts = await open(server.url);
    let isOver = false;
    const results = new Set<string>();
    const load = Array.from({ length: 16 }, async () => {
      while (!isOver) {
        results.add(String((await counts.take('bucket', rate(600_000, 600_000)))?.isAllowed));
        await new Promise((resolve) => setImmediate(resolve));
      }
    });
    for (let round = 0; round < 3; round++) {
      await server.kill();
      await eventually(async () =>
        expect(await counts.take('bucket', rate(600_000, 600_000))).toBeUndefined(),
      );
      await server.restart();
      await eventually(async () => expect(await counts.take('bucket', rate(600_000, 600_000))).toBeDefined());
    }
    isOver = true;
    await Promise.all(load);
    expect(results).toEqual(new Set(['true', 'undefined']));
    expect(lines).toHaveLength(6);
  });

  it('uses a server that is unavailable at the start when it becomes available', async () => {
    const link = await openTcpLink(server.url.replace('redis:', 'http:'));
    opened.push(link);
    await link.cut();
    const counts = await open(link.url.replace('http:', 'redis:'));
    expect(await counts.take('bucket', rate(1, 1))).toBeUndefined();
    await link.mend();
    await eventually(async () => expect(await counts.take('bucket', rate(1, 1))).toBeDefined());
  });
});

const isReconnecting = (counts: SharedCounts): boolean =>
  (counts as unknown as { redis: Redis }).redis.status !== 'ready';

/** The number of connections, without the connection of the query. */
async function clientsOf(at: string): Promise<number> {
  const redis = new Redis(at);
  const list = (await redis.client('LIST')) as string;
  redis.disconnect();
  return list.trim().split('\n').length - 1;
}

describe('SharedCounts over TLS', () => {
  it('counts only at a server with a certificate of the CA', async () => {
    const [authority, foreign] = [new TestAuthority(), new TestAuthority()];
    const server = await startTlsRedis(authority.caFile, authority.issue(), 'secret');
    try {
      const at = `rediss://:secret@127.0.0.1:${server.port}`;
      const tls = { caFile: authority.caFile, ...authority.issue() };
      const counts = await open(at, { tls, timeoutMs: 5_000 });
      expect(await counts.take(randomUUID(), rate(60, 60))).toMatchObject({ isAllowed: true });
      for (const files of [{ ...tls, caFile: foreign.caFile }, { caFile: authority.caFile }]) {
        const rejected = await open(at, { tls: files, timeoutMs: 5_000 });
        expect(await rejected.take(randomUUID(), rate(60, 60))).toBeUndefined();
      }
    } finally {
      await server.remove();
      authority.remove();
      foreign.remove();
    }
  });
});
