import { Controller, Module } from '@nestjs/common';
import { startService, type RunningService } from '@tollbridge/bootstrap';
import { quotesApi } from '@tollbridge/contracts';
import { developmentIdentity, DomainError, Handles, unrestrictedAccess } from '@tollbridge/rpc';
import { eventually, freePort, startNats, type NatsServer } from '@tollbridge/testing';
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { start, type RunningGateway } from '.';
import { ReadinessProxy, type Replica } from './testing/readiness-proxy';

process.env['LOG_LEVEL'] = 'silent';

// The time until load balancers withdraw a replica, and the delay of a stop, which is longer.
const [withdrawnAfterMs, stopDelayMs] = [200, 600];
/** The provider answers a quote of this amount when the test opens the gate. */
const slowAmount = '63';
let slowCalls = 0;
let openGate: () => void;
let gate: Promise<void>;

@Controller()
@Handles(quotesApi)
class Quotes {
  async quote({ settle_amount: amount }: { settle_amount?: string }): Promise<never> {
    if (amount === slowAmount) slowCalls++;
    await (amount === slowAmount ? gate : sleep(2));
    return { pay_amount: amount } as never;
  }
  async batchQuote(): Promise<never> {
    throw new DomainError('NOT_FOUND');
  }
  async minAmounts(): Promise<never> {
    throw new DomainError('NOT_FOUND');
  }
}

@Module({ controllers: [Quotes] })
class QuotesModule {}

let nats: NatsServer;
const running: { close(): Promise<void> }[] = [];

beforeAll(async () => void (nats = await startNats()));
beforeEach(() => {
  gate = new Promise((resolve) => (openGate = resolve));
});
afterEach(async () => {
  openGate();
  for (const each of running.splice(0).reverse()) await each.close();
});
afterAll(() => nats.remove());

function later<T extends { close(): Promise<void> }>(started: T): T {
  running.push(started);
  return started;
}

/** A replica of pay-orders that stops like the apps. */
async function startQuotes(): Promise<RunningService> {
  const service = startService({
    app: 'pay-orders',
    module: QuotesModule,
    natsUrl: nats.url,
    identity: developmentIdentity('pay-orders'),
    access: unrestrictedAccess,
    managementHost: '127.0.0.1',
    managementPort: 0,
    config: { STOP_DELAY_MS: stopDelayMs },
  });
  return later(await service);
}

async function startGateway(settings: Record<string, string> = {}): Promise<RunningGateway & Replica> {
  const port = await freePort();
  const gateway = await start({
    TOLLBRIDGE_ENV: 'sandbox',
    GATEWAY_NATS_URL: nats.url,
    GATEWAY_REDIS_URL: process.env['TEST_REDIS_URL'],
    PORT: '0',
    GATEWAY_MANAGEMENT_PORT_NUMBER: String(port),
    // The machine runs more than a gateway during tests, so a late count must not appear as a failed stop.
    GATEWAY_REDIS_TIMEOUT_MS: '5000',
    // All requests come from one address here.
    GATEWAY_TRUSTED_PROXIES: '127.0.0.1',
    STOP_DELAY_MS: String(stopDelayMs),
    ...settings,
  });
  return later({ ...gateway, management: `http://127.0.0.1:${port}` });
}

/** Prolongs the delay of a stop until the promise is resolved too, because the machine may be slow. */
function prolongDelay({ stopping }: RunningGateway, until: () => Promise<unknown>): void {
  const begin = stopping.begin.bind(stopping);
  stopping.begin = async () => void (await Promise.all([begin(), until()]));
}

interface Outcome {
  status: number | string;
  connection?: string | undefined;
}

let clients = 0;

/** Sends one request. The outcome is its status, or the code of the error. */
function quote(url: string, amount = '1000000', agent?: Agent): Promise<Outcome> {
  const pair = { pay_blockchain: 'base', pay_token: 'USDC', settle_chain: 'base', settle_token: 'USDC' };
  const body = JSON.stringify({ ...pair, settle_amount: amount });
  // Each client has its own rate limit.
  const address = `198.51.${(clients >> 8) & 255}.${clients++ & 255}`;
  const headers = { 'content-type': 'application/json', 'x-forwarded-for': address };
  return new Promise((resolve) => {
    const sent = request(
      `${url}/api/v1/pay/quote`,
      { method: 'POST', headers, agent: agent ?? false },
      (reply) =>
        reply
          .once('end', () => resolve({ status: reply.statusCode!, connection: reply.headers.connection }))
          .once('error', () => resolve({ status: 'cut' }))
          .resume(),
    );
    sent.once('error', (error: NodeJS.ErrnoException) => resolve({ status: error.code ?? error.message }));
    sent.end(body);
  });
}

/** Clients that send requests in a loop. Half of them reuse their connections, the others open one for each request. */
async function load(url: string, isOver: (done: number) => boolean): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const keepAsking = async (agent?: Agent): Promise<void> => {
    do {
      outcomes.push(await quote(url, '1000000', agent));
      await sleep(20);
    } while (!isOver(outcomes.length));
    agent?.destroy();
  };
  const kept = Array.from({ length: 6 }, () => keepAsking(new Agent({ keepAlive: true, maxSockets: 1 })));
  const single = Array.from({ length: 6 }, () => keepAsking());
  await Promise.all([...kept, ...single]);
  return outcomes;
}

const statusesOf = (outcomes: readonly Outcome[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const { status } of outcomes) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};

describe('a stop under load, behind a load balancer that obeys readiness', () => {
  it('fails none of at least 1,000 requests while a gateway and a replica of the service stop', async () => {
    const [stoppedService] = [await startQuotes(), await startQuotes()];
    const [stoppedGateway, other] = [await startGateway(), await startGateway()];
    const proxy = later(await ReadinessProxy.start([stoppedGateway, other], withdrawnAfterMs));
    let stopped: Promise<unknown> | undefined;
    let [answered, answeredAtEnd] = [0, Infinity];
    const another100 = async () => {
      const from = answered;
      await eventually(() => expect(answered).toBeGreaterThanOrEqual(from + 100));
    };
    // Load balancers withdraw a replica during the delay. After 100 more replies, each reused connection has had one.
    prolongDelay(stoppedGateway, async () => {
      await eventually(() => expect(proxy.isWithdrawn(stoppedGateway)).toBe(true));
      await another100();
    });
    const outcomes = await load(proxy.url, (done) => {
      answered = done;
      if (done >= 200)
        stopped ??= Promise.all([stoppedGateway.close(), stoppedService.close()]).finally(
          () => (answeredAtEnd = answered),
        );
      // The stop begins and ends under load.
      return done >= Math.max(1_000, answeredAtEnd + 200);
    });
    await stopped;
    expect(statusesOf(outcomes)).toEqual({ 200: outcomes.length });
    expect(proxy.rejected).toBe(0);
    expect(await quote(stoppedGateway.url)).toMatchObject({ status: 'ECONNREFUSED' });
    expect(stoppedService.bus.nats.isClosed()).toBe(true);
  });

  it('causes rejected connections when the load balancer withdraws the replica later than the delay', async () => {
    await startQuotes();
    const [stopped, other] = [await startGateway({ STOP_DELAY_MS: '0' }), await startGateway()];
    // The load balancer withdraws the replica only after the test.
    const proxy = later(await ReadinessProxy.start([stopped, other], 600_000));
    let closed: Promise<void> | undefined;
    await load(proxy.url, (done) => {
      if (done >= 100) closed ??= stopped.close();
      return proxy.rejected > 0 || done >= 2_000;
    });
    await closed;
    expect(proxy.rejected).toBeGreaterThan(0);
  });
});

describe('a gateway that stops', () => {
  it('reports not ready and still serves during the delay, then rejects connections', async () => {
    await startQuotes();
    const gateway = await startGateway({ STOP_DELAY_MS: '1000' });
    prolongDelay(gateway, () => gate);
    expect(await quote(gateway.url)).toEqual({ status: 200, connection: 'close' });
    const keepAlive = new Agent({ keepAlive: true });
    expect(await quote(gateway.url, '1', keepAlive)).toEqual({ status: 200, connection: 'keep-alive' });
    const startMs = performance.now();
    const closed = gateway.close();
    const readiness = async (origin: string) => (await fetch(`${origin}/health/ready`)).status;
    expect([await readiness(gateway.management), await readiness(gateway.url)]).toEqual([503, 503]);
    expect((await fetch(`${gateway.management}/health/live`)).status).toBe(200);
    // The reused connection announces its end, and a new connection is accepted.
    expect(await quote(gateway.url, '1', keepAlive)).toEqual({ status: 200, connection: 'close' });
    expect((await quote(gateway.url)).status).toBe(200);
    openGate();
    await eventually(async () => expect((await quote(gateway.url)).status).toBe('ECONNREFUSED'));
    expect(performance.now() - startMs).toBeGreaterThanOrEqual(990);
    await closed;
    keepAlive.destroy();
  });

  it('returns 200 for a slow purchase although its service stops as well', async () => {
    const service = await startQuotes();
    const gateway = await startGateway();
    const before = slowCalls;
    const reply = quote(gateway.url, slowAmount);
    await eventually(() => expect(slowCalls).toBe(before + 1));
    const closed = Promise.all([gateway.close(), service.close()]);
    // The delay of both is over, so the reply is sent while both are closing.
    await service.stopping.begin();
    await eventually(async () => expect((await quote(gateway.url)).status).toBe('ECONNREFUSED'));
    await sleep(500);
    openGate();
    expect((await reply).status).toBe(200);
    await closed;
  });

  it('aborts a request that takes longer than STOP_TIMEOUT_MS', async () => {
    await startQuotes();
    const gateway = await startGateway({ STOP_DELAY_MS: '0', STOP_TIMEOUT_MS: '1000' });
    const before = slowCalls;
    const reply = quote(gateway.url, slowAmount);
    await eventually(() => expect(slowCalls).toBe(before + 1));
    // The gate is still closed. Without the limit, the gateway would return 504 after the time-out of the operation.
    await gateway.close();
    expect((await reply).status).toBe('ECONNRESET');
  });
});
