import type { Metrics } from '@tollbridge/observability';

export interface ScrapedFigures {
  /** Reads figures and sets their gauges. A bounded, indexed statement. */
  read(): Promise<void>;
  /** Removes the values of the gauges: they are unknown. */
  clear(): void;
  onError(error: unknown): void;
  /** How long figures stay valid. */
  validMs?: number;
  /** How long a scrape waits for them. */
  waitMs?: number;
}

const defaultValidMs = 15_000;
// Prometheus gives a scrape ten seconds.
const defaultWaitMs = 2_000;

/**
 * Figures of the whole app that need a statement. They are read at a scrape, once in 15 s at most. A process that is
 * not scraped reads nothing, and scrapes in a row cost nothing. Every replica has the same values.
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
