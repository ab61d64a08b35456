import { ManualClock } from '@tollbridge/testing';
import {
  FiatRates,
  type FiatReading,
  type KnownRates,
  type RateReading,
  type RateSource,
  type SharedFiatRates,
} from '.';

const hourMs = 60 * 60_000;
const dayMs = 24 * hourMs;
const intervalMs = 10 * 60_000;

/** A source that publishes what the test sets. */
class ScriptedSource implements RateSource {
  reads = 0;
  rates: Record<string, string> = {};
  publishedAtMs: number | undefined;
  failure: Error | undefined;

  constructor(
    readonly name: string,
    readonly maxAgeMs: number,
    private readonly now: () => number,
  ) {}

  async read(): Promise<FiatReading[]> {
    this.reads++;
    if (this.failure) throw this.failure;
    const atMs = this.publishedAtMs ?? this.now();
    return Object.entries(this.rates).map(([currency, perUsd]) => ({ currency, perUsd, atMs }));
  }
}

/** The shared rates in memory; they survive a restart of `FiatRates`. */
class StoredRates implements SharedFiatRates {
  known: KnownRates = { readings: new Map(), agreed: new Map() };
  outcomes: string[] = [];
  isDown = false;
  mayRead = true;

  async claim(): Promise<boolean> {
    if (this.isDown) throw new Error('no database');
    return this.mayRead;
  }

  async load(): Promise<KnownRates> {
    if (this.isDown) throw new Error('no database');
    return this.known;
  }

  async finish({ readings, agreed, outcome }: RateReading): Promise<void> {
    this.outcomes.push(outcome);
    const all = new Map(this.known.readings);
    for (const { currency, ...reading } of readings) {
      const others = (all.get(currency) ?? []).filter(({ source }) => source !== reading.source);
      all.set(currency, [...others, reading]);
    }
    this.known = { readings: all, agreed: new Map([...this.known.agreed, ...agreed]) };
  }
}

let clock: ManualClock;
let hourly: ScriptedSource;
let daily: ScriptedSource;
let stored: StoredRates;
let failures: string[];
let ages: Map<string, number | undefined>;
let held: readonly string[];
let rates: FiatRates;

beforeEach(() => {
  clock = new ManualClock(Date.UTC(2026, 10, 20));
  hourly = new ScriptedSource('hourly', 3 * hourMs, () => clock.now());
  daily = new ScriptedSource('daily', 6 * dayMs, () => clock.now());
  stored = new StoredRates();
  failures = [];
  ages = new Map();
  held = [];
  rates = open();
});

function open(sources: RateSource[] = [hourly, daily]): FiatRates {
  return new FiatRates({
    sources,
    maxMoveBps: 1_000,
    now: () => clock.now(),
    shared: stored,
    onFailure: (source) => failures.push(source),
    onAge: (source, newestMs) => ages.set(source, newestMs),
    onHeld: (currencies) => (held = currencies),
  });
}

/** Lets the sources publish these rates, and reads them. */
async function read(ofHourly: Record<string, string>, ofDaily: Record<string, string> = {}): Promise<void> {
  hourly.rates = ofHourly;
  daily.rates = ofDaily;
  await rates.refresh(intervalMs);
}

describe('FiatRates.of', () => {
  it('returns 1 for the US dollar, without any source', () => {
    expect(open([]).of('USD')).toEqual({ perUsd: '1', source: 'fixed', atMs: clock.now() });
  });

  it('returns unknown before the first read, and for a currency that no source publishes', async () => {
    expect(rates.of('EUR')).toEqual({ missing: 'unknown' });
    await read({ EUR: '0.92' });
    for (const currency of ['JPY', 'XXX', 'eur', '', '__proto__', 'constructor'])
      expect(rates.of(currency)).toEqual({ missing: 'unknown' });
  });

  it('returns the reading of the first source that has the currency', async () => {
    await read({ EUR: '0.92', KWD: '0.3065' }, { EUR: '0.93', JPY: '150' });
    const atMs = clock.now();
    expect(rates.of('EUR')).toEqual({ perUsd: '0.92', source: 'hourly', atMs });
    expect(rates.of('KWD')).toEqual({ perUsd: '0.3065', source: 'hourly', atMs });
    expect(rates.of('JPY')).toEqual({ perUsd: '150', source: 'daily', atMs });
  });

  it('returns the reading of the second source when that of the first is too old', async () => {
    await read({ EUR: '0.92', KWD: '0.3065' }, { EUR: '0.93' });
    clock.advance(3 * hourMs);
    expect(rates.of('EUR')).toMatchObject({ source: 'hourly' });
    clock.advance(1);
    expect(rates.of('EUR')).toMatchObject({ perUsd: '0.93', source: 'daily' });
    expect(rates.of('KWD')).toEqual({ missing: 'stale' });
    clock.advance(6 * dayMs);
    expect(rates.of('EUR')).toEqual({ missing: 'stale' });
  });

  it('counts the age from the publication, not from the read', async () => {
    hourly.publishedAtMs = clock.now() - 3 * hourMs - 1;
    await read({ EUR: '0.92' });
    expect(rates.of('EUR')).toEqual({ missing: 'stale' });
  });

  it.each([
    ['a year ahead', 365 * dayMs],
    ['without end', Infinity],
  ])('limits a publication %s to the time of the read', async (_case, aheadMs) => {
    hourly.publishedAtMs = clock.now() + aheadMs;
    await read({ EUR: '0.92' });
    expect(rates.of('EUR')).toMatchObject({ atMs: clock.now() });
    clock.advance(3 * hourMs + 1);
    expect(rates.of('EUR')).toEqual({ missing: 'stale' });
  });

  it('returns stale for a reading without a time', async () => {
    hourly.publishedAtMs = NaN;
    await read({ EUR: '0.92' });
    expect(rates.of('EUR')).toEqual({ missing: 'stale' });
  });

  it('returns stale for a reading from a clock that was set back', async () => {
    await read({ EUR: '0.92' });
    clock.advance(-2_000);
    expect(rates.of('EUR')).toEqual({ missing: 'stale' });
  });

  it('ignores the readings of a source that is not configured any more', async () => {
    await read({ EUR: '0.92' }, { JPY: '150' });
    rates = open([daily]);
    await rates.refresh(intervalMs);
    expect(rates.of('EUR')).toEqual({ missing: 'unknown' });
    expect(rates.of('JPY')).toMatchObject({ perUsd: '150' });
  });
});

describe('FiatRates with a jump', () => {
  it('follows moves within the bound, from value to value', async () => {
    for (const perUsd of ['30', '33', '36.3', '39.9', '36', '32.4']) {
      await read({ TRY: perUsd });
      expect(rates.of('TRY')).toMatchObject({ perUsd });
    }
    expect(held).toEqual([]);
  });

  it('holds only the currency that moved beyond the bound', async () => {
    await read({ TRY: '30', EUR: '0.92' });
    await read({ TRY: '33.1', EUR: '0.93' });
    expect(rates.of('TRY')).toEqual({ missing: 'moved' });
    expect(rates.of('EUR')).toMatchObject({ perUsd: '0.93' });
    expect(held).toEqual(['TRY']);
  });

  it('holds it while the source repeats the value', async () => {
    await read({ TRY: '30' });
    for (let count = 0; count < 10; count++) await read({ TRY: '60' });
    expect(rates.of('TRY')).toEqual({ missing: 'moved' });
  });

  it('releases it when the source returns to the agreed value', async () => {
    await read({ TRY: '30' });
    await read({ TRY: '60' });
    await read({ TRY: '32' });
    expect(rates.of('TRY')).toMatchObject({ perUsd: '32' });
    expect(held).toEqual([]);
  });

  it('holds it while the second source has the agreed value, and does not use the second source', async () => {
    await read({ TRY: '30' }, { TRY: '30.1' });
    await read({ TRY: '60' }, { TRY: '30.1' });
    expect(rates.of('TRY')).toEqual({ missing: 'moved' });
  });

  it('releases it when the second source confirms it, and agrees on the new value', async () => {
    await read({ TRY: '30' }, { TRY: '30.1' });
    await read({ TRY: '60' }, { TRY: '30.1' });
    await read({ TRY: '60' }, { TRY: '58' });
    expect(rates.of('TRY')).toMatchObject({ perUsd: '60', source: 'hourly' });
    // The second source is not needed for a move from the new value.
    await read({ TRY: '63' }, {});
    expect(rates.of('TRY')).toMatchObject({ perUsd: '63' });
    await read({ TRY: '30' }, {});
    expect(rates.of('TRY')).toEqual({ missing: 'moved' });
  });

  it('uses a jump at once when both sources have it', async () => {
    await read({ TRY: '30' }, { TRY: '30.1' });
    await read({ TRY: '60' }, { TRY: '61' });
    expect(rates.of('TRY')).toMatchObject({ perUsd: '60' });
    expect(held).toEqual([]);
  });

  it('does not accept an old reading of the second source as a confirmation', async () => {
    await read({ TRY: '60' }, { TRY: '60' });
    stored.known = { ...stored.known, agreed: new Map([['TRY', '30']]) };
    clock.advance(6 * dayMs + 1);
    daily.failure = new Error('down');
    await read({ TRY: '60' });
    expect(rates.of('TRY')).toEqual({ missing: 'moved' });
  });

  it('uses the second source when the reading that jumped is too old', async () => {
    await read({ TRY: '30' }, { TRY: '30.1' });
    await read({ TRY: '60' }, { TRY: '30.1' });
    hourly.failure = new Error('down');
    clock.advance(3 * hourMs + 1);
    await rates.refresh(intervalMs);
    expect(rates.of('TRY')).toMatchObject({ perUsd: '30.1', source: 'daily' });
    expect(held).toEqual([]);
  });

  it('holds a first reading that the second source contradicts', async () => {
    await read({ EUR: '920' }, { EUR: '0.92' });
    expect(rates.of('EUR')).toEqual({ missing: 'moved' });
    await read({ EUR: '0.93' }, { EUR: '0.92' });
    expect(rates.of('EUR')).toMatchObject({ perUsd: '0.93' });
  });

  it('holds it after a restart, from the stored values', async () => {
    await read({ TRY: '30' });
    await read({ TRY: '60' });
    rates = open();
    await rates.start(intervalMs);
    expect(rates.of('TRY')).toEqual({ missing: 'moved' });
    await rates.refresh(intervalMs);
    expect(rates.of('TRY')).toEqual({ missing: 'moved' });
    await rates.stop();
  });

  it('holds a jump that happens while the app is stopped', async () => {
    await read({ TRY: '30' });
    rates = open();
    await read({ TRY: '60' });
    expect(rates.of('TRY')).toEqual({ missing: 'moved' });
  });

  it('compares with the value that another replica has agreed on', async () => {
    await read({ TRY: '30' });
    const other = open();
    for (const perUsd of ['33', '36', '39.5', '43']) {
      hourly.rates = { TRY: perUsd };
      await other.refresh(intervalMs);
    }
    await read({ TRY: '45' });
    expect(rates.of('TRY')).toMatchObject({ perUsd: '45' });
  });
});

describe('FiatRates reading the sources', () => {
  it('reads all sources, because they confirm each other', async () => {
    await read({ EUR: '0.92' }, { EUR: '0.92' });
    expect([hourly.reads, daily.reads]).toEqual([1, 1]);
  });

  it('reads once for concurrent calls', async () => {
    await Promise.all(Array.from({ length: 100 }, () => rates.refresh(intervalMs)));
    expect(hourly.reads).toBe(1);
  });

  it('sends no request when another replica has read, and uses its rates', async () => {
    await read({ EUR: '0.92' });
    const other = open();
    stored.mayRead = false;
    await other.refresh(intervalMs);
    expect(hourly.reads).toBe(1);
    expect(other.of('EUR')).toMatchObject({ perUsd: '0.92' });
  });

  it('stores the rates of one source when the other fails, and reports the failure', async () => {
    daily.failure = new Error('down');
    await read({ EUR: '0.92' });
    expect(rates.of('EUR')).toMatchObject({ perUsd: '0.92' });
    expect([failures, stored.outcomes]).toEqual([['daily'], ['failed']]);
    daily.failure = undefined;
    await read({ EUR: '0.92' });
    expect(stored.outcomes).toEqual(['failed', 'complete']);
  });

  it('keeps the last rates while a source fails, until they are too old', async () => {
    await read({ EUR: '0.92' });
    hourly.failure = daily.failure = new Error('down');
    clock.advance(3 * hourMs);
    expect(await rates.refresh(intervalMs)).toBe(false);
    expect(rates.of('EUR')).toMatchObject({ perUsd: '0.92' });
    clock.advance(1);
    expect(rates.of('EUR')).toEqual({ missing: 'stale' });
  });

  it('keeps the last rates and sends no request while the database is down', async () => {
    await read({ EUR: '0.92' });
    stored.isDown = true;
    expect(await rates.refresh(intervalMs)).toBe(false);
    expect([hourly.reads, failures]).toEqual([1, ['database']]);
    expect(rates.of('EUR')).toMatchObject({ perUsd: '0.92' });
  });

  it('keeps a currency that the source omits, until its reading is too old', async () => {
    await read({ EUR: '0.92', JPY: '150' });
    clock.advance(hourMs);
    await read({ EUR: '0.93' });
    expect(rates.of('JPY')).toMatchObject({ perUsd: '150' });
    clock.advance(2 * hourMs + 1);
    expect(rates.of('JPY')).toEqual({ missing: 'stale' });
  });

  it('reports the age of the newest reading of each source', async () => {
    await read({ EUR: '0.92', JPY: '150' });
    expect(ages).toEqual(
      new Map([
        ['hourly', 0],
        ['daily', undefined],
      ]),
    );
    clock.advance(hourMs);
    hourly.failure = new Error('down');
    await rates.refresh(intervalMs);
    expect(ages.get('hourly')).toBe(hourMs);
  });

  it('starts no read without sources', async () => {
    const none = open([]);
    stored.isDown = true;
    await none.start(intervalMs);
    expect(await none.refresh(intervalMs)).toBe(true);
    await none.stop();
    expect(failures).toEqual([]);
  });
});
