import { SampleFront } from '../testing/sample-front';
import { addHealthRoutes, addLogoRoutes, addMetricsRoute } from './static-routes';

const front = new SampleFront();
let isConnected = true;
addHealthRoutes(front.server, { bus: () => isConnected });
addLogoRoutes(front.server);
addMetricsRoute(front.server, front.metrics);
afterAll(() => front.server.close());

describe('/health', () => {
  it('is live whatever else is not', async () => {
    isConnected = false;
    const reply = await front.send('GET', '/health/live');
    expect([reply.statusCode, JSON.parse(reply.body)]).toEqual([200, { status: 'ok' }]);
  });

  it.each([
    [true, 200, { status: 'ok', checks: { bus: 'ok' } }],
    [false, 503, { status: 'unavailable', checks: { bus: 'unavailable' } }],
  ])('is ready as the bus is: %s', async (connected, status, report) => {
    isConnected = connected;
    const reply = await front.send('GET', '/health/ready');
    expect([reply.statusCode, JSON.parse(reply.body)]).toEqual([status, report]);
  });
});

describe('/logos', () => {
  it('are pictures that a page of any site may show and keep', async () => {
    const reply = await front.send('GET', '/logos/chains/base.svg');
    expect(reply.statusCode).toBe(200);
    expect(reply.body).toMatch(/^<svg .*<\/svg>$/s);
    expect(reply.headers).toMatchObject({
      'content-type': 'image/svg+xml',
      'cache-control': 'public, max-age=86400',
      'cross-origin-resource-policy': 'cross-origin',
      // Opened by itself, a picture must not run anything.
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    });
  });

  it.each([
    '/logos/',
    '/logos/chains/nothing.svg',
    '/logos/..%2f..%2fpackage.json',
    '/logos/chains/__proto__.svg',
  ])('are not there for %s', async (path) => {
    const reply = await front.send('GET', path);
    expect([reply.statusCode, JSON.parse(reply.body).code]).toEqual([404, 'NOT_FOUND']);
  });
});

describe('/metrics', () => {
  it('are in the text format of Prometheus', async () => {
    const reply = await front.send('GET', '/metrics');
    expect(reply.headers['content-type']).toContain('text/plain; version=0.0.4');
    expect(reply.body).toMatch(/^tollbridge_http_seconds_bucket\{/m);
    expect(reply.body).toMatch(/^process_cpu_user_seconds_total\{/m);
  });
});
