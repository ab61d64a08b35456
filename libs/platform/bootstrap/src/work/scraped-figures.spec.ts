import { Metrics } from '@tollbridge/observability';
import { scrapeFigures } from './scraped-figures';

function harness(validMs: number) {
  const metrics = new Metrics('shop');
  const stock = metrics.gauge('tollbridge_stock', 'Stock');
  const state = { reads: 0, errors: [] as unknown[], answer: async () => 7 };
  scrapeFigures(metrics, {
    read: async () => {
      state.reads++;
      stock.set(await state.answer());
    },
    clear: () => stock.remove(),
    onError: (error) => void state.errors.push(error),
    validMs,
    waitMs: 50,
  });
  const scrape = async () => {
    const { text } = await metrics.exposition();
    return /^tollbridge_stock\{app="shop"\} (.+)$/m.exec(text)?.[1];
  };
  return { state, scrape };
}

describe('scrapeFigures', () => {
  it('reads the figures at the first scrape, and not again for scrapes that follow immediately', async () => {
    const { state, scrape } = harness(60_000);
    expect(state.reads).toBe(0);
    expect(await Promise.all([scrape(), scrape()])).toEqual(['7', '7']);
    expect(await scrape()).toBe('7');
    expect(state.reads).toBe(1);
  });

  it('reads the figures again when they have expired', async () => {
    const { state, scrape } = harness(0);
    await scrape();
    state.answer = async () => 8;
    expect(await scrape()).toBe('8');
  });

  it('removes the figures after a failed read', async () => {
    const { state, scrape } = harness(0);
    expect(await scrape()).toBe('7');
    state.answer = () => Promise.reject(new Error('no database'));
    expect(await scrape()).toBeUndefined();
    expect(state.errors).toEqual([new Error('no database')]);
  });

  it('answers a scrape in time while a read hangs, and starts no second read', async () => {
    const { state, scrape } = harness(0);
    state.answer = () => new Promise(() => undefined);
    const startMs = performance.now();
    expect(await scrape()).toBeUndefined();
    expect(await scrape()).toBeUndefined();
    expect(performance.now() - startMs).toBeLessThan(5_000);
    expect(state.reads).toBe(1);
  });
});
