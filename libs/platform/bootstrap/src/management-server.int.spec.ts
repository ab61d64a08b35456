import { Metrics, observeTraced } from '@tollbridge/observability';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startManagementServer } from './management-server';

let server: Server;
let isReady: boolean | 'standby';
let metrics: Metrics;

beforeEach(async () => {
  isReady = true;
  metrics = new Metrics('shop');
  server = await start(0);
});

afterEach(() => new Promise((resolve) => server.close(resolve).closeAllConnections()));

const start = (port: number): Promise<Server> =>
  startManagementServer({
    host: '127.0.0.1',
    port,
    metrics,
    checks: { bus: () => isReady },
  });

const portOf = () => (server.address() as AddressInfo).port;

async function get(path: string, headers: Record<string, string> = {}) {
  const response = await fetch(`http://127.0.0.1:${portOf()}${path}`, { headers });
  const text = await response.text();
  return {
    status: response.status,
    text,
    type: response.headers.get('content-type'),
    headers: response.headers,
  };
}

describe('startManagementServer', () => {
  it('answers /health/live with 200 while a readiness check fails', async () => {
    isReady = false;
    expect(await get('/health/live')).toMatchObject({ status: 200, text: '{"status":"ok"}' });
  });

  it('answers /health/ready with 200 when all checks pass, and with 503 when one fails', async () => {
    expect(await get('/health/ready')).toMatchObject({
      status: 200,
      type: 'application/json',
      text: '{"status":"ok","checks":{"bus":"ok"}}',
    });
    isReady = false;
    expect(await get('/health/ready?verbose=1')).toMatchObject({
      status: 503,
      text: '{"status":"unavailable","checks":{"bus":"unavailable"}}',
    });
  });

  it('answers /health/ready of a standby with 200, so that a rolling update continues', async () => {
    isReady = 'standby';
    expect(await get('/health/ready')).toMatchObject({
      status: 200,
      text: '{"status":"standby","checks":{"bus":"standby"}}',
    });
  });

  it('serves the metrics', async () => {
    metrics.counter('tollbridge_sales_total', 'Sales').inc(3);
    const { status, type, text } = await get('/metrics');
    expect({ status, type }).toEqual({ status: 200, type: metrics.registry.contentType });
    expect(text).toContain('tollbridge_sales_total{app="shop"} 3');
  });

  it('serves OpenMetrics with exemplars to a scraper that accepts it, and both formats concurrently', async () => {
    metrics.counter('tollbridge_sales_total', 'Sales').inc(3);
    const seconds = metrics.tracedHistogram('tollbridge_sale_seconds', 'Time', ['good']);
    observeTraced(seconds, { good: 'tea' }, 0.004, '0af7651916cd43dd8448eb211c80319c');
    const accept = 'application/openmetrics-text;version=1.0.0;q=0.5,text/plain;version=0.0.4;q=0.2';
    const [open, plain] = await Promise.all([get('/metrics', { accept }), get('/metrics')]);
    expect(open.type).toBe('application/openmetrics-text; version=1.0.0; charset=utf-8');
    expect(open.text).toMatch(/# \{trace_id="0af7651916cd43dd8448eb211c80319c"\} 0\.004 \d/);
    expect(open.text.endsWith('# EOF\n')).toBe(true);
    expect(plain.text).not.toContain('trace_id');
    for (const { text } of [open, plain]) expect(text).toContain('tollbridge_sales_total{app="shop"} 3');
  });

  it('answers 500 with only the name of the error when the collection of a metric fails', async () => {
    metrics.registry.metrics = () => Promise.reject(new TypeError('secret'));
    expect(await get('/metrics')).toMatchObject({ status: 500, text: '{"error":"TypeError"}' });
  });

  it.each(['/', '/health', '/metrics/', '/health/ready/', '/../metrics/..'])(
    'answers 404 for %s',
    async (path) => {
      const { status, text } = await get(path);
      expect(status).toBe(404);
      expect(JSON.parse(text)).toMatchObject({ code: 'NOT_FOUND' });
    },
  );

  it('forbids caching of every response', async () => {
    for (const path of ['/health/live', '/health/ready', '/metrics', '/nothing'])
      expect((await get(path)).headers.get('cache-control')).toBe('no-store');
  });

  it('rejects when its port is in use', async () => {
    await expect(start(portOf())).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });
});
