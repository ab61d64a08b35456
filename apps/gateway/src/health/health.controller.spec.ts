import { Global, Module } from '@nestjs/common';
import { DomainError, type HealthReply } from '@tollbridge/contracts';
import { Clock } from '@tollbridge/database';
import { ManualClock, startHttpServer, type HttpServer } from '@tollbridge/testing';
import { GatewayHarness } from '../testing/gateway-harness';
import { LogosModule } from '../logos/logos.module';
import { logoRoutes } from '../logos/logos.routes';
import { HealthModule } from './health.module';
import { healthRoutes } from './health.routes';
import type { ServicesHealth } from './services-health';

let harness: GatewayHarness;
const bus = { isConnected: true };
const busWatch = { isHealthy: true };
const clock = new ManualClock();
/** The replies of the services. A service without a reply is down. */
const answers = new Map<string, HealthReply>();
@Global()
@Module({ providers: [{ provide: Clock, useValue: clock }], exports: [Clock] })
class ClockModule {}

let stream: HttpServer;
const services = ['pay-orders', 'tx-engine', 'merchant', 'service-api', 'nanopay', 'tee', 'sandbox'];

async function call({ app }: { app: string }): Promise<HealthReply> {
  const answer = answers.get(app);
  if (!answer) throw new DomainError('SERVICE_UNAVAILABLE');
  return answer;
}

beforeAll(async () => {
  stream = await startHttpServer(() => ({ status: 404, body: '' }));
  harness = await GatewayHarness.open({
    call,
    config: { STREAM_URL: stream.url },
    imports: [ClockModule, HealthModule, LogosModule],
    routes: [...healthRoutes, ...logoRoutes],
    bus,
    busWatch,
  });
});
afterAll(async () => {
  await harness.close();
  await stream.close();
});

describe('/health', () => {
  it('reports live while the bus is unavailable', async () => {
    bus.isConnected = false;
    const reply = await harness.send('GET', '/health/live');
    expect([reply.statusCode, JSON.parse(reply.body)]).toEqual([200, { status: 'ok' }]);
  });

  it.each([
    [true, 200, { status: 'ok', checks: { bus: 'ok', accepting: 'ok' } }],
    [false, 503, { status: 'unavailable', checks: { bus: 'unavailable', accepting: 'ok' } }],
  ])('reports ready only while the bus is connected: %s', async (connected, status, report) => {
    bus.isConnected = connected;
    const reply = await harness.send('GET', '/health/ready');
    expect([reply.statusCode, JSON.parse(reply.body)]).toEqual([status, report]);
  });
});

it('reports not ready while the replicas cannot be called', async () => {
  bus.isConnected = true;
  busWatch.isHealthy = false;
  const reply = await harness.send('GET', '/health/ready');
  busWatch.isHealthy = true;
  expect(reply.statusCode).toBe(503);
});

describe('/health/services', () => {
  const healthy: HealthReply = { status: 'ok', checks: { bus: 'ok', database: 'ok' } };
  const read = async (): Promise<[number, ServicesHealth]> => {
    const reply = await harness.send('GET', '/health/services');
    return [reply.statusCode, JSON.parse(reply.body)];
  };
  /** Advances the clock, so that the next request does not share an earlier reply. @returns the time of the reading */
  const later = (): string => {
    clock.advance(2_000);
    return new Date(clock.now()).toISOString();
  };
  const stateOf = ({ services: found }: ServicesHealth, wanted: string) =>
    found.find(({ name }) => name === wanted);
  let upSince: string;

  beforeEach(async () => {
    answers.clear();
    later();
    await read();
    for (const name of services) answers.set(name, healthy);
    upSince = later();
  });

  it('returns ok while every service and the stream answer, and forbids caching', async () => {
    const [status, report] = await read();
    expect([status, report.status]).toEqual([200, 'ok']);
    expect(report.services.map(({ name }) => name)).toEqual([...services, 'stream']);
    for (const service of report.services) expect(service.status).toBe('up');
    expect(stateOf(report, 'tee')).toEqual({
      name: 'tee',
      status: 'up',
      checks: healthy.checks,
      since: upSince,
    });
    const reply = await harness.send('GET', '/health/services');
    expect(reply.headers['cache-control']).toBe('no-store');
  });

  it('returns which service does not answer and since when, and when it answers again', async () => {
    await read();
    answers.delete('merchant');
    const downSince = later();
    const [status, report] = await read();
    expect([status, report.status]).toEqual([503, 'unavailable']);
    const down = { name: 'merchant', status: 'down', since: downSince };
    expect(stateOf(report, 'merchant')).toEqual(down);
    expect(stateOf(report, 'tee')).toMatchObject({ status: 'up', since: upSince });
    later();
    expect(stateOf((await read())[1], 'merchant')).toEqual(down);
    answers.set('merchant', healthy);
    const backSince = later();
    expect(stateOf((await read())[1], 'merchant')).toMatchObject({ status: 'up', since: backSince });
  });

  it('returns which check of a service fails', async () => {
    const checks = { bus: 'ok', database: 'unavailable' };
    answers.set('pay-orders', { status: 'unavailable', checks });
    const [status, report] = await read();
    expect(status).toBe(503);
    expect(stateOf(report, 'pay-orders')).toMatchObject({ status: 'down', checks });
  });

  it('answers concurrent requests with one round of calls', async () => {
    const replies = await Promise.all([read(), read()]);
    answers.clear();
    expect(await read()).toEqual(replies[0]);
    later();
    expect((await read())[0]).toBe(503);
  });

  it('does not change the readiness of the gateway', async () => {
    answers.clear();
    bus.isConnected = true;
    expect((await read())[0]).toBe(503);
    expect((await harness.send('GET', '/health/ready')).statusCode).toBe(200);
  });
});

describe('/logos', () => {
  it('returns images that any site may embed and cache', async () => {
    const reply = await harness.send('GET', '/logos/chains/base.svg');
    expect(reply.statusCode).toBe(200);
    expect(reply.body).toMatch(/^<svg .*<\/svg>$/s);
    expect(reply.headers).toMatchObject({
      'content-type': 'image/svg+xml',
      'cache-control': 'public, max-age=86400',
      'cross-origin-resource-policy': 'cross-origin',
      // An image that is opened directly must not execute anything.
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    });
  });

  it.each([
    '/logos/',
    '/logos/chains/nothing.svg',
    '/logos/..%2f..%2fpackage.json',
    '/logos/chains/__proto__.svg',
  ])('returns 404 for %s', async (path) => {
    const reply = await harness.send('GET', path);
    expect([reply.statusCode, JSON.parse(reply.body).code]).toEqual([404, 'NOT_FOUND']);
  });
});

describe('/metrics', () => {
  it('returns the text format of Prometheus', async () => {
    const reply = await harness.send('GET', '/metrics');
    expect(reply.headers['content-type']).toContain('text/plain; version=0.0.4');
    expect(reply.body).toMatch(/^http_server_request_duration_seconds_bucket\{/m);
    expect(reply.body).toMatch(/^process_cpu_user_seconds_total\{/m);
  });
});
