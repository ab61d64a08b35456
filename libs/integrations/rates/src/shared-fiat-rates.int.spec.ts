import { Metrics, type Logger } from '@tollbridge/observability';
import { entitiesWithoutPolicy } from '@tollbridge/database';
import {
  eventually,
  freshDatabase,
  ManualClock,
  schemaDifferences,
  unsafeMigrations,
  type FreshDatabase,
} from '@tollbridge/testing';
import { Client, Pool } from 'pg';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import {
  dropFiatRatesTables,
  fiatRateEntities,
  FiatRates,
  fiatRatesTables,
  KeptFiatRates,
  PostgresFiatRates,
  rateLeaseMs,
  type FiatReading,
  type RateSource,
} from '.';

const minuteMs = 60_000;
const intervalMs = 10 * minuteMs;
const hourMs = 60 * minuteMs;

let database: FreshDatabase;
let owner: Client;
let pool: Pool;
let clock: ManualClock;
let reads: number;
/** Rates of both sources. The second one publishes only what the test sets. */
let published: Record<string, string>;
let confirmed: Record<string, string>;
/** The behaviour of the first source. */
let answer: (signal: AbortSignal) => Promise<FiatReading[]>;
const started: { stop(): Promise<void> }[] = [];

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
  await owner.query(fiatRatesTables);
  clock = new ManualClock(Date.UTC(2026, 10, 23, 12));
  reads = 0;
  published = { EUR: '0.92', JPY: '150' };
  confirmed = {};
  answer = async () => readingsOf(published);
});
afterEach(async () => {
  await Promise.all(started.splice(0).map((rates) => rates.stop()));
  await owner.query(dropFiatRatesTables);
});

const readingsOf = (rates: Record<string, string>): FiatReading[] =>
  Object.entries(rates).map(([currency, perUsd]) => ({ currency, perUsd, atMs: clock.now() }));

const sources = (): RateSource[] => [
  {
    name: 'first',
    maxAgeMs: 3 * hourMs,
    read: (signal) => {
      reads++;
      return answer(signal);
    },
  },
  { name: 'second', maxAgeMs: 6 * 24 * hourMs, read: async () => readingsOf(confirmed) },
];

const shared = () => new PostgresFiatRates(pool, () => 1);

function replica(failures: string[] = []): FiatRates {
  const rates = new FiatRates({
    sources: sources(),
    maxMoveBps: 1_000,
    now: () => clock.now(),
    shared: shared(),
    onFailure: (name) => failures.push(name),
  });
  started.push(rates);
  return rates;
}

it('reads the sources in one of many concurrent replicas and shares the rates with all', async () => {
  const replicas = Array.from({ length: 5 }, () => replica());
  await Promise.all(replicas.map((rates) => rates.refresh(intervalMs)));
  expect(reads).toBe(1);
  for (const rates of replicas) await rates.refresh(intervalMs);
  expect(reads).toBe(1);
  const atMs = clock.now();
  for (const rates of replicas) expect(rates.of('EUR')).toEqual({ perUsd: '0.92', source: 'first', atMs });
});

it('reads the sources once per interval, whichever replica comes first', async () => {
  const [one, other] = [replica(), replica()];
  for (let count = 0; count < 5; count++) {
    published = { EUR: `0.9${count}` };
    for (const rates of [one, other, one]) await rates.refresh(intervalMs);
    const perUsd = `0.9${count}`;
    expect([reads, one.of('EUR'), other.of('EUR')]).toMatchObject([count + 1, { perUsd }, { perUsd }]);
    clock.advance(intervalMs - 1);
    await other.refresh(intervalMs);
    expect(reads).toBe(count + 1);
    clock.advance(1);
  }
});

it('reads the sources in another replica after a crash when the lease has expired', async () => {
  expect(await shared().claim(clock.now() - intervalMs, clock.now())).toBe(true);
  const other = replica();
  clock.advance(rateLeaseMs - 1);
  await other.refresh(intervalMs);
  expect(reads).toBe(0);
  clock.advance(1);
  await other.refresh(intervalMs);
  expect(reads).toBe(1);
  expect(other.of('EUR')).toMatchObject({ perUsd: '0.92' });
});

it('returns the stored rate after a restart without a request to a source', async () => {
  await replica().refresh(intervalMs);
  clock.advance(2 * hourMs);
  answer = (signal) =>
    new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('left'))));
  const late = replica();
  await late.start(intervalMs);
  expect(late.of('EUR')).toMatchObject({ perUsd: '0.92', atMs: clock.now() - 2 * hourMs });
});

it('holds a jump after a restart, and in every replica, until the second source confirms it', async () => {
  await replica().refresh(intervalMs);
  published = { EUR: '1.92', JPY: '151' };
  clock.advance(intervalMs);
  const late = replica();
  await late.refresh(intervalMs);
  const other = replica();
  await other.start(intervalMs);
  for (const rates of [late, other]) {
    expect(rates.of('EUR')).toEqual({ missing: 'moved' });
    expect(rates.of('JPY')).toMatchObject({ perUsd: '151' });
  }
  confirmed = { EUR: '1.9' };
  clock.advance(intervalMs);
  await late.refresh(intervalMs);
  const last = replica();
  await last.start(intervalMs);
  for (const rates of [late, last])
    expect(rates.of('EUR')).toMatchObject({ perUsd: '1.92', source: 'first' });
});

it('stores the digits of each rate', async () => {
  published = { KWD: '0.30651', IRR: '42125', EUR: '0.890868596881', UGX: '3550.00000001' };
  await replica().refresh(intervalMs);
  const { readings, agreed } = await shared().load();
  for (const [currency, perUsd] of Object.entries(published)) {
    expect(readings.get(currency)).toMatchObject([{ perUsd, source: 'first' }]);
    expect(agreed.get(currency)).toBe(perUsd);
  }
});

it('does not overwrite a later read with an earlier one', async () => {
  const atMs = clock.now();
  const asked = (askedAtMs: number, perUsd: string) => ({
    askedAtMs,
    readings: [{ currency: 'EUR', perUsd, source: 'first', atMs }],
    agreed: new Map([['EUR', perUsd]]),
    outcome: 'complete' as const,
  });
  await shared().finish(asked(atMs, '0.93'), atMs);
  await shared().finish(asked(atMs - 1, '0.91'), atMs);
  const { readings, agreed } = await shared().load();
  expect(readings.get('EUR')).toEqual([{ perUsd: '0.93', source: 'first', atMs }]);
  expect(agreed.get('EUR')).toBe('0.93');
});

it('stores readings, agreed values and the lease in one statement', async () => {
  await owner.query('ALTER TABLE agreed_fiat_rates ADD CHECK (per_usd < 1)');
  const failures: string[] = [];
  const rates = replica(failures);
  expect(await rates.refresh(intervalMs)).toBe(false);
  expect(failures).toEqual(['database']);
  expect((await shared().load()).readings.size).toBe(0);
  // The rates are used although they could not be stored.
  expect(rates.of('JPY')).toMatchObject({ perUsd: '150' });
});

it('backs off after failures up to ten minutes', async () => {
  const rates = replica();
  answer = () => Promise.reject(new Error('down'));
  const tried: number[] = [];
  const beganMs = clock.now();
  for (let second = 0; second < 2_400; second++) {
    const before = reads;
    await rates.refresh(intervalMs);
    if (reads > before) tried.push((clock.now() - beganMs) / 1_000);
    clock.advance(1_000);
  }
  expect(tried).toEqual([0, 5, 15, 35, 75, 155, 315, 635, 1_235, 1_835]);
  answer = async () => readingsOf(published);
  clock.advance(intervalMs);
  await rates.refresh(intervalMs);
  expect(rates.of('EUR')).toMatchObject({ perUsd: '0.92' });
});

it('continues after the database clock was set back', async () => {
  const rates = replica();
  await rates.refresh(intervalMs);
  clock.advance(-60 * minuteMs);
  published = { EUR: '0.93' };
  await rates.refresh(intervalMs);
  expect(reads).toBe(2);
  expect(rates.of('EUR')).toMatchObject({ perUsd: '0.93' });
});

it('keeps the last rates and sends no request while the database is down', async () => {
  const failures: string[] = [];
  const rates = replica(failures);
  await rates.refresh(intervalMs);
  await owner.query('ALTER TABLE fiat_rate_lease RENAME TO elsewhere');
  clock.advance(intervalMs);
  await rates.refresh(intervalMs);
  expect([reads, failures, rates.of('EUR')]).toMatchObject([1, ['database'], { perUsd: '0.92' }]);
  await owner.query('ALTER TABLE elsewhere RENAME TO fiat_rate_lease');
});

it('releases its lease when stopped during a read', async () => {
  answer = (signal) =>
    new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
  const failures: string[] = [];
  const rates = replica(failures);
  void rates.refresh(intervalMs);
  await eventually(() => expect(reads).toBe(1));
  await rates.stop();
  expect(failures).toEqual([]);

  answer = async () => readingsOf(published);
  const next = replica();
  await next.refresh(intervalMs);
  expect(next.of('EUR')).toMatchObject({ perUsd: '0.92' });
});

describe('fiatRatesTables', () => {
  class FiatRates1900000000000 implements MigrationInterface {
    readonly name = 'FiatRates1900000000000';
    up = (runner: QueryRunner): Promise<void> => runner.query(fiatRatesTables);
    down = (runner: QueryRunner): Promise<void> => runner.query(dropFiatRatesTables);
  }
  const migrations = [FiatRates1900000000000];

  it('match the entities, which declare the retention of their rows', async () => {
    const described = { schema: 'merchant', migrations, entities: fiatRateEntities };
    expect(await schemaDifferences(described)).toEqual([]);
    expect(entitiesWithoutPolicy(fiatRateEntities)).toEqual([]);
  });

  it('only expand the schema of an app', async () => {
    expect(await unsafeMigrations({ schema: 'merchant', migrations, release: 1 })).toEqual([]);
  });
});

describe('KeptFiatRates', () => {
  it('keeps the rates fresh, and reports held currencies and failures', async () => {
    const lines: [Record<string, unknown>, string][] = [];
    const metrics = new Metrics('merchant');
    const kept = new KeptFiatRates({
      sources: sources(),
      // Each check is a quarter of this interval after the last one.
      everySeconds: 0.04,
      maxMoveBps: 1_000,
      database: { pool },
      clock,
      metrics,
      logger: { warn: (...line: [Record<string, unknown>, string]) => lines.push(line) } as unknown as Logger,
    });
    started.push({ stop: () => kept.onApplicationShutdown() });
    await kept.onApplicationBootstrap();
    await eventually(() => expect(kept.of('EUR')).toMatchObject({ perUsd: '0.92' }));

    published = { EUR: '9.2', JPY: '150' };
    clock.advance(minuteMs);
    await eventually(() => expect(kept.of('EUR')).toEqual({ missing: 'moved' }));
    await eventually(() => expect(lines).toEqual([[{ currencies: ['EUR'] }, 'fiat rate held']]));

    const down = new Error('down');
    answer = () => Promise.reject(down);
    clock.advance(minuteMs);
    await eventually(() =>
      expect(lines[1]).toEqual([{ source: 'first', err: down }, 'fiat rate read failed']),
    );
    const { text } = await metrics.exposition();
    expect(text).toMatch(/tollbridge_fiat_rate_age_seconds\{source="first",app="merchant"\} 60/);
    expect(text).toMatch(/tollbridge_fiat_rates_held\{app="merchant"\} 1/);
    expect(text).toMatch(/tollbridge_fiat_rate_failures_total\{source="first",app="merchant"\} 1/);
  });

  it('waits for a read of this or another replica', async () => {
    const kept = new KeptFiatRates({
      sources: sources(),
      everySeconds: 600,
      maxMoveBps: 1_000,
      database: { pool },
      clock,
      metrics: new Metrics('merchant'),
      logger: { warn: () => undefined } as unknown as Logger,
    });
    await kept.refresh();
    expect(kept.of('JPY')).toMatchObject({ perUsd: '150' });
  });
});
