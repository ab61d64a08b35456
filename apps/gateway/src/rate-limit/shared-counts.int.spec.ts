import { eventually, openTcpLink, startRedis, type RedisServer } from '@tollbridge/testing';
import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import { SharedCounts } from './shared-counts';

jest.setTimeout(30_000);

const url = process.env['TEST_REDIS_URL']!;
const opened: { close(): unknown }[] = [];
let lines: string[];
const logger = {
  info: (...line: unknown[]) => void lines.push(String(line.at(-1))),
  warn: (...line: unknown[]) => void lines.push(String(line.at(-1))),
};

async function open(at = url): Promise<SharedCounts> {
  const counts = new SharedCounts(at, logger);
  opened.push(counts);
  await counts.opened;
  return counts;
}

beforeEach(() => {
  lines = [];
});
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close();
});

const rate = (perMinute: number, burst: number) => ({ perMinute, burst });
const allowed = (taken: ({ isAllowed: boolean } | undefined)[]) =>
  taken.filter((one) => one?.isAllowed).length;

describe('a bucket', () => {
  it('gives its burst at once, says what is left, and then how long to wait', async () => {
    const counts = await open();
    const bucket = randomUUID();
    for (let left = 2; left >= 0; left--)
      expect(await counts.take(bucket, rate(1, 3))).toMatchObject({ isAllowed: true, remaining: left });
    const refused = (await counts.take(bucket, rate(1, 3)))!;
    expect(refused).toMatchObject({ isAllowed: false, remaining: 0 });
    expect(refused.waitMs).toBeGreaterThan(55_000);
    expect(refused.waitMs).toBeLessThanOrEqual(60_000);
    expect(refused.untilFullMs).toBeGreaterThan(175_000);
    expect(refused.untilFullMs).toBeLessThanOrEqual(180_000);
  });

  it('fills again at its rate, no more than that', async () => {
    const counts = await open();
    const bucket = randomUUID();
    const everySecond = rate(60, 5);
    const startMs = performance.now();
    for (let taken = 0; taken < 5; taken++) await counts.take(bucket, everySecond);
    const { waitMs } = (await counts.take(bucket, everySecond))!;
    expect(waitMs).toBeGreaterThan(0);
    expect(waitMs).toBeLessThanOrEqual(1_000);
    await eventually(async () =>
      expect(await counts.take(bucket, everySecond)).toMatchObject({ isAllowed: true }),
    );
    expect(performance.now() - startMs).toBeGreaterThanOrEqual(990);
    expect(await counts.take(bucket, everySecond)).toMatchObject({ isAllowed: false });
  });

  it('lets exactly as many pass as it holds, of 50 at once from two replicas', async () => {
    const replicas = [await open(), await open()];
    for (const burst of [1, 7, 49, 50, 51]) {
      const bucket = randomUUID();
      const takes = Array.from({ length: 50 }, (_, at) => replicas[at % 2]!.take(bucket, rate(1, burst)));
      expect(allowed(await Promise.all(takes))).toBe(Math.min(50, burst));
    }
  });

  it('is gone from the server when it is full again, and is of nobody else', async () => {
    const counts = await open();
    const redis = new Redis(url);
    opened.push({ close: () => redis.disconnect() });
    const bucket = randomUUID();
    await counts.take(bucket, rate(6_000, 10));
    expect(await redis.pttl(`gateway:rate:${bucket}`)).toBeLessThanOrEqual(10);
    await eventually(async () => expect(await redis.exists(`gateway:rate:${bucket}`)).toBe(0));
    await counts.take(bucket, rate(1, 1));
    expect(await counts.take(randomUUID(), rate(1, 1))).toMatchObject({ isAllowed: true });
  });

  it('locks nobody out when the clock of the server was set back, or its value is nonsense', async () => {
    const counts = await open();
    const redis = new Redis(url);
    opened.push({ close: () => redis.disconnect() });
    const bucket = randomUUID();
    await redis.set(`gateway:rate:${bucket}`, String(Date.now() * 1000 + 1e15));
    const { waitMs } = (await counts.take(bucket, rate(600, 2)))!;
    expect(waitMs).toBeLessThanOrEqual(200);
    await redis.set(`gateway:rate:${bucket}`, 'nonsense');
    expect(await counts.take(bucket, rate(1, 2))).toMatchObject({ isAllowed: true, remaining: 1 });
  });

  it('costs little', async () => {
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

describe('failures', () => {
  it('are over after the last one that is allowed, until the time is over', async () => {
    const counts = await open();
    const name = randomUUID();
    const found = [];
    for (let failure = 0; failure < 4; failure++) found.push(await counts.fail(name, 3, 300));
    expect(found.map((one) => one!.isOver)).toEqual([false, false, false, true]);
    expect(found[3]!.untilMs).toBeLessThanOrEqual(300);
    await eventually(async () => expect(await counts.fail(name, 3, 300)).toMatchObject({ isOver: false }));
  });
});

describe('a server that', () => {
  let server: RedisServer;
  beforeEach(async () => {
    server = await startRedis();
    opened.push({ close: () => server.remove() });
  });

  it('loses everything, scripts too, begins anew and fails nobody', async () => {
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

  it('hangs holds nobody up for longer than 50 ms, is told of once, and is used again', async () => {
    const counts = await open(server.url);
    await counts.take('bucket', rate(100, 100));
    server.hang();
    // The signal takes a moment to arrive.
    await eventually(async () => expect(await counts.take('bucket', rate(100, 100))).toBeUndefined());
    const times: number[] = [];
    for (let round = 0; round < 40; round++) {
      const startMs = performance.now();
      const taken = await Promise.all(
        Array.from({ length: 20 }, () => counts.take('bucket', rate(100, 100))),
      );
      expect(taken.filter(Boolean)).toEqual([]);
      times.push(performance.now() - startMs);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    expect(Math.max(...times)).toBeLessThan(500);
    // After the first nobody waits but the one who asks whether it is back.
    expect(times.filter((ms) => ms < 20).length).toBeGreaterThan(20);
    expect(lines).toEqual(['requests cannot be counted']);
    server.goOn();
    await eventually(async () => expect(await counts.take('bucket', rate(100, 100))).toBeDefined());
    expect(lines).toEqual(['requests cannot be counted', 'requests are counted again']);
  });

  it('stays silent for ever on a connection is called on another', async () => {
    const counts = await open(server.url);
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

  it('is killed under load and comes back is used again, and told of in two lines', async () => {
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

  it('is not there at the start is used once it is', async () => {
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

/** How many are connected, but for who asks. */
async function clientsOf(at: string): Promise<number> {
  const redis = new Redis(at);
  const list = (await redis.client('LIST')) as string;
  redis.disconnect();
  return list.trim().split('\n').length - 1;
}
