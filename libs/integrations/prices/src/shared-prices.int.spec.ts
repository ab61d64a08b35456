import { eventually, freshDatabase, ManualClock, type FreshDatabase } from '@tollbridge/testing';
import { Client, Pool } from 'pg';
import {
  agreedPriceColumns,
  dropPricesTables,
  isHeld,
  PostgresPrices,
  Prices,
  pricesTables,
  readingLeaseMs,
  type Price,
  type PricedToken,
  type PriceSource,
} from '.';

const usdc: PricedToken = { chain: 'eip155:8453', address: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913' };
const ether: PricedToken = { chain: 'eip155:8453', address: null };
const tokens = [usdc, ether];
const minuteMs = 60_000;

let database: FreshDatabase;
let owner: Client;
let pool: Pool;
let clock: ManualClock;
let reads: number;
/** The behaviour of the source. By default it returns `usd` with the current time. */
let answer: (signal: AbortSignal) => Promise<{ token: PricedToken; price: Price }[]>;
let usd: string;
const started: Prices[] = [];

beforeAll(async () => {
  database = await freshDatabase('merchant');
  owner = new Client({ connectionString: database.ownerUrl });
  await owner.connect();
  pool = new Pool({ connectionString: database.runtimeUrl, max: 4 });
});
afterAll(async () => {
  await pool.end();
  await owner.end();
  await database.drop();
});
beforeEach(async () => {
  await owner.query(pricesTables + agreedPriceColumns);
  clock = new ManualClock(Date.UTC(2026, 10, 23, 12));
  reads = 0;
  usd = '1';
  answer = async () => tokens.map((token) => ({ token, price: { usd, atMs: clock.now() } }));
});
afterEach(async () => {
  await Promise.all(started.splice(0).map((prices) => prices.stop()));
  await owner.query(dropPricesTables);
});

function replica(
  more: { ages?: (number | undefined)[]; failures?: string[]; maxMoveBps?: number } = {},
): Prices {
  const source: PriceSource = {
    name: 'source',
    read: (_tokens, signal) => {
      reads++;
      return answer(signal);
    },
  };
  const prices = new Prices({
    sources: [source],
    tokens,
    ...(more.maxMoveBps === undefined ? {} : { maxMoveBps: more.maxMoveBps }),
    now: () => clock.now(),
    shared: new PostgresPrices(pool, () => 1),
    onAge: (age) => more.ages?.push(age),
    onFailure: (name) => more.failures?.push(name),
  });
  started.push(prices);
  return prices;
}

/** A replica that started again, with a bound of 10 %. */
const bounded = () => replica({ maxMoveBps: 1_000 });

const shared = () => new PostgresPrices(pool, () => 1);

it('reads prices in one of many concurrent replicas and shares them with all', async () => {
  const replicas = Array.from({ length: 5 }, () => replica());
  await Promise.all(replicas.map((prices) => prices.refresh()));
  expect(reads).toBe(1);
  for (const prices of replicas) await prices.refresh();
  expect(reads).toBe(1);
  for (const prices of replicas) expect(prices.of(usdc)).toMatchObject({ usd: '1' });
});

it('reads prices once per interval, whichever replica comes first', async () => {
  const [one, other] = [replica(), replica()];
  for (let minute = 0; minute < 5; minute++) {
    usd = String(minute + 1);
    for (const prices of [one, other, one]) await prices.refresh(minuteMs);
    expect([reads, one.of(ether)?.usd, other.of(ether)?.usd]).toEqual([minute + 1, usd, usd]);
    clock.advance(minuteMs - 1);
    await other.refresh(minuteMs);
    expect(reads).toBe(minute + 1);
    clock.advance(1);
  }
});

it('reads prices in another replica after a crash when the lease has expired', async () => {
  expect(await shared().claim(clock.now() - minuteMs, clock.now())).toBe(true);
  const other = replica();
  clock.advance(readingLeaseMs - 1);
  await other.refresh(minuteMs);
  expect(reads).toBe(0);
  clock.advance(1);
  await other.refresh(minuteMs);
  expect(reads).toBe(1);
  expect(other.of(usdc)).toMatchObject({ usd: '1' });
});

it('returns the stored price to the first call of a new replica without a request to a source', async () => {
  await replica().refresh();
  clock.advance(9 * minuteMs);
  answer = (signal) =>
    new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('left'))));
  const late = replica();
  await late.start(0);
  expect(late.of(usdc)).toMatchObject({ usd: '1' });
});

it('returns no price when the stored one is older than 10 minutes', async () => {
  await replica().refresh();
  clock.advance(10 * minuteMs + 1);
  answer = async () => [];
  const late = replica();
  await late.start(0);
  expect(late.of(usdc)).toBeUndefined();
});

it('keeps prices fresh for an hour without calls', async () => {
  const prices = replica();
  // Real pauses of some milliseconds, with a manual clock. Each check finds that a minute has passed.
  await prices.start(20);
  for (let minute = 0; minute < 60; minute++) {
    const before = reads;
    clock.advance(minuteMs);
    await eventually(() => expect(reads).toBeGreaterThan(before));
  }
  await eventually(() => expect(prices.of(usdc)).toMatchObject({ usd: '1', atMs: clock.now() }));
});

it('backs off after failures up to a minute, and reports the oldest price', async () => {
  const [ages, failures] = [[], []] as [number[], string[]];
  const prices = replica({ ages, failures });
  await prices.refresh();
  expect(ages).toEqual([0]);
  answer = () => Promise.reject(new Error('down'));
  clock.advance(minuteMs);
  const tried: number[] = [];
  const beganMs = clock.now();
  for (let second = 0; second < 240; second++) {
    const before = reads;
    await prices.refresh(minuteMs);
    if (reads > before) tried.push((clock.now() - beganMs) / 1_000);
    clock.advance(1_000);
  }
  expect(tried).toEqual([0, 2, 6, 14, 30, 62, 122, 182]);
  expect(failures).toHaveLength(tried.length);
  expect(ages.at(-1)).toBe(minuteMs + 239_000);
  answer = async () => tokens.map((token) => ({ token, price: { usd: '2', atMs: clock.now() } }));
  clock.advance(minuteMs);
  await prices.refresh(minuteMs);
  expect(prices.of(usdc)).toMatchObject({ usd: '2' });
});

it('does not overwrite a later read with an earlier one', async () => {
  const key = 'a token';
  const atMs = clock.now();
  const asked = (askedAtMs: number, usd: string) => ({
    askedAtMs,
    prices: new Map([[key, { usd, atMs, source: 'source', agreed: { usd, atMs } }]]),
    outcome: 'complete' as const,
  });
  await shared().finish(asked(atMs, '2'), atMs);
  await shared().finish(asked(atMs - 1, '1'), atMs);
  expect((await shared().load()).get(key)).toMatchObject({ usd: '2', atMs });
});

it('returns the time of the source in every replica', async () => {
  const [one, other] = [replica(), replica()];
  await one.refresh();
  await other.refresh();
  const oldMs = clock.now() - 9 * minuteMs;
  answer = async () => tokens.map((token) => ({ token, price: { usd: '2', atMs: oldMs } }));
  clock.advance(minuteMs);
  await one.refresh();
  await other.refresh();
  for (const prices of [one, other]) expect(prices.of(usdc)).toMatchObject({ usd: '2', atMs: oldMs });
  clock.advance(1);
  for (const prices of [one, other]) expect(prices.known(usdc)).toBeUndefined();
});

it('continues after the database clock was set back', async () => {
  const prices = replica();
  await prices.refresh();
  clock.advance(-60 * minuteMs);
  usd = '2';
  await prices.refresh();
  expect(reads).toBe(2);
  expect(prices.of(usdc)).toMatchObject({ usd: '2' });
});

it('keeps the last prices and sends no request while the database is down', async () => {
  const failures: string[] = [];
  const prices = replica({ failures });
  await prices.refresh();
  await owner.query('ALTER TABLE price_reading RENAME TO elsewhere');
  clock.advance(minuteMs);
  await prices.refresh();
  expect([reads, failures, prices.of(usdc)?.usd]).toEqual([1, ['database'], '1']);
  await owner.query('ALTER TABLE elsewhere RENAME TO price_reading');
});

it('sends no request after stop', async () => {
  const prices = replica();
  await prices.start(20);
  await eventually(() => expect(reads).toBe(1));
  await prices.stop();
  clock.advance(60 * minuteMs);
  prices.of(usdc);
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(reads).toBe(1);
});

it('releases its lease when stopped during a read', async () => {
  answer = (signal) =>
    new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
  const failures: string[] = [];
  const prices = replica({ failures });
  void prices.refresh();
  await eventually(() => expect(reads).toBe(1));
  await prices.stop();
  expect(failures).toEqual([]);

  answer = async () => tokens.map((token) => ({ token, price: { usd, atMs: clock.now() } }));
  const next = replica();
  await next.refresh();
  expect(next.of(usdc)).toMatchObject({ usd: '1' });
});

it('compares with the agreed price of the last process after a restart', async () => {
  await replica().refresh();
  usd = '2';
  clock.advance(minuteMs);
  const restarted = bounded();
  await restarted.refresh();
  expect(restarted.of(usdc)).toMatchObject({ usd: '2', source: 'source', agreed: { usd: '1' } });
  expect(isHeld(restarted.of(usdc)!)).toBe(true);
});
