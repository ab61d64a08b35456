import { chooseRate } from './choose-rate';
import type { FiatRate, FiatRateMissing, RateSource } from './fiat-rate';
import type { KnownRates, RateReading, SharedFiatRates } from './shared-fiat-rates';

export interface FiatRatesOptions {
  /** Sources in order of preference. All of them are read, because they confirm each other. */
  sources: readonly RateSource[];
  /** A currency that moves further than this from its agreed value is held, in basis points. */
  maxMoveBps: number;
  now(): number;
  shared: SharedFiatRates;
  /** @param source name of the source, or `database` if the shared rates could not be read or written */
  onFailure?(source: string, error: unknown): void;
  /** Called for each source after each check, with the age of its newest reading; undefined without a reading. */
  onAge?(source: string, newestMs: number | undefined): void;
  /** Called after each check with all currencies that are held, sorted. */
  onHeld?(currencies: readonly string[]): void;
  /** Called after each check. The check ends when its promise is settled. */
  onRead?(): Promise<void>;
}

const readTimeoutMs = 10_000;
// Pause after a failure; it doubles up to the usual pause. The source may just be starting.
const retryMs = 2_000;
// Tolerance for replicas that measure the database's clock separately.
const clockSkewMs = 1_000;
// Number of loads per interval of the rates that another replica has read.
const pollsPerInterval = 4;

type SourceReading = RateReading['readings'][number];

/**
 * Exchange rates of currencies. One replica reads them in the background for all. They are returned from memory, so
 * that no caller waits for a rate.
 */
export class FiatRates {
  private known: KnownRates = { readings: new Map(), agreed: new Map() };
  private reading: Promise<boolean> | undefined;
  private timer: NodeJS.Timeout | undefined;
  private failedPolls = 0;
  private readonly stopping = new AbortController();

  constructor(private readonly options: FiatRatesOptions) {}

  /** Returns the rate of a currency (ISO 4217), or why there is none. The US dollar is always 1. */
  of(currency: string): FiatRate | FiatRateMissing {
    if (currency === 'USD') return { perUsd: '1', source: 'fixed', atMs: this.options.now() };
    const { fresh, isKnown } = this.readingsOf(this.known, currency);
    if (fresh.length === 0) return { missing: isKnown ? 'stale' : 'unknown' };
    const agreed = this.known.agreed.get(currency);
    return chooseRate({ fresh, agreed }, this.options.maxMoveBps) ?? { missing: 'moved' };
  }

  /** Starts reading the sources. Resolves when the shared rates are loaded; never rejects. */
  async start(everyMs: number): Promise<void> {
    if (this.options.sources.length === 0) return;
    await this.load().catch((error: unknown) => this.fail('database', error));
    void this.poll(everyMs);
  }

  /** Aborts the running read and resolves when it has ended. */
  async stop(): Promise<void> {
    this.stopping.abort();
    clearTimeout(this.timer);
    await this.reading;
  }

  /**
   * Reads the sources unless a replica has read them within `ageMs`, and loads the shared rates. One read at a time.
   * Resolves to false after a failure; never rejects.
   */
  refresh(ageMs: number): Promise<boolean> {
    this.reading ??= this.read(ageMs).finally(() => (this.reading = undefined));
    return this.reading;
  }

  private async poll(everyMs: number): Promise<void> {
    const isDone = await this.refresh(everyMs);
    if (this.stopping.signal.aborted) return;
    this.failedPolls = isDone && this.known.readings.size > 0 ? 0 : this.failedPolls + 1;
    const pauseMs = everyMs / pollsPerInterval;
    const wantedMs =
      this.failedPolls === 0 ? pauseMs : Math.min(retryMs * 2 ** (this.failedPolls - 1), pauseMs);
    // Jitter, so that replicas that started together do not read at the same time.
    this.timer = setTimeout(() => void this.poll(everyMs), wantedMs * (0.75 + Math.random() / 2)).unref();
  }

  private async read(ageMs: number): Promise<boolean> {
    const { sources, shared, now } = this.options;
    if (this.stopping.signal.aborted || sources.length === 0) return true;
    try {
      const isReader = await shared.claim(now() - ageMs, now());
      // The reader compares with the agreed values of the replica that read before.
      await this.load();
      const isDone = isReader ? await this.readSources() : true;
      await this.options.onRead?.();
      return isDone;
    } catch (error) {
      this.fail('database', error);
      return false;
    } finally {
      this.report();
    }
  }

  private async load(): Promise<void> {
    this.known = await this.options.shared.load();
  }

  private async readSources(): Promise<boolean> {
    const { sources, shared, now } = this.options;
    const askedAtMs = now();
    const answers = await Promise.all(sources.map((source) => this.ask(source)));
    const readings = answers.flatMap((answer) => answer ?? []);
    const hasFailed = answers.includes(undefined);
    const known = { readings: merged(this.known.readings, readings), agreed: this.known.agreed };
    const agreed = this.agreeOn(known);
    // The rates are used even if the database write fails.
    this.known = { ...known, agreed: new Map([...known.agreed, ...agreed]) };
    const outcome = !hasFailed ? 'complete' : this.stopping.signal.aborted ? 'stopped' : 'failed';
    await shared.finish({ askedAtMs, readings, agreed, outcome }, now());
    return !hasFailed;
  }

  /** Returns undefined after a failure. */
  private async ask(source: RateSource): Promise<SourceReading[] | undefined> {
    const { now } = this.options;
    try {
      this.stopping.signal.throwIfAborted();
      const signal = AbortSignal.any([AbortSignal.timeout(readTimeoutMs), this.stopping.signal]);
      const readings = await source.read(signal);
      // Limited to the current time, so that a time ahead cannot create a rate that never expires.
      return readings.map((reading) => ({
        ...reading,
        source: source.name,
        atMs: Math.min(reading.atMs, now()),
      }));
    } catch (error) {
      this.fail(source.name, error);
      return undefined;
    }
  }

  /** The values that can be trusted now, by currency. A held currency keeps its earlier agreed value. */
  private agreeOn(known: KnownRates): Map<string, string> {
    const agreed = new Map<string, string>();
    for (const currency of known.readings.keys()) {
      const evidence = { ...this.readingsOf(known, currency), agreed: known.agreed.get(currency) };
      const rate = chooseRate(evidence, this.options.maxMoveBps);
      if (rate) agreed.set(currency, rate.perUsd);
    }
    return agreed;
  }

  /** The readings of the configured sources that are not too old, in order of preference. */
  private readingsOf({ readings }: KnownRates, currency: string): { fresh: FiatRate[]; isKnown: boolean } {
    const { sources, now } = this.options;
    const all = readings.get(currency) ?? [];
    const configured = sources.flatMap((source) => {
      const reading = all.find((each) => each.source === source.name);
      return reading ? [{ reading, maxAgeMs: source.maxAgeMs }] : [];
    });
    const fresh = configured.filter(({ reading: { atMs }, maxAgeMs }) => {
      const ageMs = now() - atMs;
      // A time far ahead comes from a clock that was later set back. It would never expire.
      return ageMs >= -clockSkewMs && ageMs <= maxAgeMs;
    });
    return { fresh: fresh.map(({ reading }) => reading), isKnown: configured.length > 0 };
  }

  private fail(source: string, error: unknown): void {
    if (!this.stopping.signal.aborted) this.options.onFailure?.(source, error);
  }

  private report(): void {
    const { sources, now, onAge, onHeld } = this.options;
    const all = [...this.known.readings.values()].flat();
    for (const { name } of sources) {
      const times = all.filter(({ source }) => source === name).map(({ atMs }) => atMs);
      onAge?.(name, times.length === 0 ? undefined : now() - Math.max(...times));
    }
    const isHeld = (currency: string): boolean => {
      const rate = this.of(currency);
      return 'missing' in rate && rate.missing === 'moved';
    };
    onHeld?.([...this.known.readings.keys()].filter(isHeld).sort());
  }
}

/** Replaces the readings of a source by its last ones, even by older ones: the source has then withdrawn the newer. */
function merged(
  known: KnownRates['readings'],
  read: readonly SourceReading[],
): ReadonlyMap<string, readonly FiatRate[]> {
  const all = new Map(known);
  for (const { currency, perUsd, source, atMs } of read) {
    const others = (all.get(currency) ?? []).filter((each) => each.source !== source);
    all.set(currency, [...others, { perUsd, source, atMs }]);
  }
  return all;
}
