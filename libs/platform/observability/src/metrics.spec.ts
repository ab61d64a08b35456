import { Metrics } from './metrics';

describe('Metrics', () => {
  it('exposes metrics in the Prometheus format, labelled with the app', async () => {
    const metrics = new Metrics('shop');
    metrics.counter('tollbridge_sales_total', 'Sales', ['good']).inc({ good: 'tea' }, 2);
    metrics.gauge('tollbridge_stock', 'Stock').set(7);
    metrics.histogram('tollbridge_sale_seconds', 'Time', ['good']).observe({ good: 'tea' }, 0.004);
    const lines = (await metrics.registry.metrics()).split('\n');
    expect(lines).toContain('tollbridge_sales_total{good="tea",app="shop"} 2');
    expect(lines).toContain('tollbridge_stock{app="shop"} 7');
    expect(lines).toContain('tollbridge_sale_seconds_bucket{le="0.0025",app="shop",good="tea"} 0');
    expect(lines).toContain('tollbridge_sale_seconds_bucket{le="0.005",app="shop",good="tea"} 1');
    expect(lines.some((line) => line.startsWith('process_resident_memory_bytes'))).toBe(true);
  });

  it('measures the event loop lag without frequent wake-ups of an idle process', async () => {
    const metrics = new Metrics('shop');
    await new Promise((resolve) => setTimeout(resolve, 350));
    const lag = /^nodejs_eventloop_lag_min_seconds\{app="shop"\} (.+)$/m.exec(
      await metrics.registry.metrics(),
    );
    expect(Number(lag?.[1])).toBeGreaterThan(0.05);
  });

  it('separates the metrics of two apps in one process', async () => {
    const [shop, bank] = [new Metrics('shop'), new Metrics('bank')];
    shop.counter('tollbridge_sales_total', 'Sales').inc();
    bank.counter('tollbridge_sales_total', 'Sales').inc(5);
    expect(await shop.registry.metrics()).toContain('tollbridge_sales_total{app="shop"} 1');
    expect(await bank.registry.metrics()).toContain('tollbridge_sales_total{app="bank"} 5');
  });
});
