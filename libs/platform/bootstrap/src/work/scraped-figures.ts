import type { Metrics } from '@tollbridge/observability';

export interface ScrapedFigures {
  /** Reads figures with a bounded, indexed statement and sets their gauges. */
  read(): Promise<void>;
  /** Removes the values of the gauges, because they are unknown. */
  clear(): void;
  onError(error: unknown): void;
  /** How long figures stay valid, in milliseconds; 15 s by default. */
  validMs?: number;
  /** How long a scrape waits for figures, in milliseconds; 2 s by default. */
  waitMs?: number;
}

const defaultValidMs = 15_000;
// Prometheus ends a scrape after ten seconds.
const defaultWaitMs = 2_000;

/**
 * Exports figures of the whole app that need a statement. They are read at a scrape, at most once in 15 s. A
 * process without scrapes runs no statement. Every replica reports the same values.
 */
export function scrapeFigures(metrics: Pick<Metrics, 'onScrape'>, figures: ScrapedFigures): void {
  const { read, clear, onError, validMs = defaultValidMs, waitMs = defaultWaitMs } = figures;
  let readAtMs = -Infinity;
  let reading: Promise<void> | undefined;
  const start = (): Promise<void> => {
    readAtMs = performance.now();
    return read()
      .catch((error: unknown) => {
        // An old figure would hide an outage.
        clear();
        onError(error);
      })
      .finally(() => (reading = undefined));
  };
  clear();
  metrics.onScrape(async () => {
    if (!reading && performance.now() - readAtMs < validMs) return;
    reading ??= start();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, waitMs)));
    await Promise.race([reading, late]);
    clearTimeout(timer);
  });
}
