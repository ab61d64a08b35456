import { GatewayHarness } from '../testing/gateway-harness';
import { LogosModule } from '../logos/logos.module';
import { logoRoutes } from '../logos/logos.routes';
import { HealthModule } from './health.module';
import { healthRoutes } from './health.routes';

let harness: GatewayHarness;
const bus = { isConnected: true };
const busWatch = { isHealthy: true };

beforeAll(async () => {
  harness = await GatewayHarness.open({
    imports: [HealthModule, LogosModule],
    routes: [...healthRoutes, ...logoRoutes],
    bus,
    busWatch,
  });
});
afterAll(() => harness.close());

describe('/health', () => {
  it('is live while the bus is unavailable', async () => {
    bus.isConnected = false;
    const reply = await harness.send('GET', '/health/live');
    expect([reply.statusCode, JSON.parse(reply.body)]).toEqual([200, { status: 'ok' }]);
  });

  it.each([
    [true, 200, { status: 'ok', checks: { bus: 'ok', accepting: 'ok' } }],
    [false, 503, { status: 'unavailable', checks: { bus: 'unavailable', accepting: 'ok' } }],
  ])('is ready only while the bus is connected: %s', async (connected, status, report) => {
    bus.isConnected = connected;
    const reply = await harness.send('GET', '/health/ready');
    expect([reply.statusCode, JSON.parse(reply.body)]).toEqual([status, report]);
  });
});

it('is not ready while the replicas cannot be called', async () => {
  bus.isConnected = true;
  busWatch.isHealthy = false;
  expect((await harness.send('GET', '/health/ready')).statusCode).toBe(503);
});

describe('/logos', () => {
  it('are images that any site may show and cache', async () => {
    const reply = await harness.send('GET', '/logos/chains/base.svg');
    expect(reply.statusCode).toBe(200);
    expect(reply.body).toMatch(/^<svg .*<\/svg>$/s);
    expect(reply.headers).toMatchObject({
      'content-type': 'image/svg+xml',
      'cache-control': 'public, max-age=86400',
      'cross-origin-resource-policy': 'cross-origin',
      // Opened directly, an image must not execute anything.
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    });
  });

  it.each([
    '/logos/',
    '/logos/chains/nothing.svg',
    '/logos/..%2f..%2fpackage.json',
    '/logos/chains/__proto__.svg',
  ])('return 404 for %s', async (path) => {
    const reply = await harness.send('GET', path);
    expect([reply.statusCode, JSON.parse(reply.body).code]).toEqual([404, 'NOT_FOUND']);
  });
});

describe('/metrics', () => {
  it('are in the text format of Prometheus', async () => {
    const reply = await harness.send('GET', '/metrics');
    expect(reply.headers['content-type']).toContain('text/plain; version=0.0.4');
    expect(reply.body).toMatch(/^http_server_request_duration_seconds_bucket\{/m);
    expect(reply.body).toMatch(/^process_cpu_user_seconds_total\{/m);
  });
});
