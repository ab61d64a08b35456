import { AnyCaller, features } from '@tollbridge/contracts';
import {
  BusClient,
  BusConnection,
  developmentIdentity,
  failureHeaders,
  isWalletAuth,
  sealHeader,
  type Operation,
} from '@tollbridge/rpc';
import { eventually, startNats, type NatsServer, testIdentities } from '@tollbridge/testing';
import { connect, headers as natsHeaders, type Msg, type NatsConnection } from 'nats';
import { start, type RunningGateway } from '.';
import { gatewayRoutes } from './routes/gateway-routes';
import { GatewayHarness } from './testing/gateway-harness';

process.env['LOG_LEVEL'] = 'silent';

const operations = features.flatMap((feature) => Object.values(feature.operations) as Operation[]);
const orderId = '0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d';
const quote = JSON.stringify({
  pay_blockchain: 'base',
  pay_token: 'USDC',
  settle_chain: 'base',
  settle_token: 'USDC',
  settle_amount: '1000000',
});

let nats: NatsServer;
let service: NatsConnection;
let gateway: RunningGateway;

function settings(more: Record<string, string> = {}): NodeJS.ProcessEnv {
  return {
    TOLLBRIDGE_ENV: 'sandbox',
    GATEWAY_NATS_URL: nats.url,
    GATEWAY_REDIS_URL: process.env['TEST_REDIS_URL'],
    // Other processes share the machine during tests, so a slow count must not be treated as a Redis failure.
    GATEWAY_REDIS_TIMEOUT_MS: '5000',
    PORT: '0',
    GATEWAY_MANAGEMENT_PORT_NUMBER: '0',
    ...more,
  };
}

const call = (path: string, init: RequestInit = {}, from = gateway): Promise<Response> =>
  fetch(from.url + path, init);
const send = (method: string, path: string, body: string, from = gateway): Promise<Response> =>
  call(path, { method, body, headers: { 'content-type': 'application/json' } }, from);
const post = (path: string, body: string, from = gateway): Promise<Response> =>
  send('POST', path, body, from);

const wallet = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const takesWallet = ({ auth }: Operation): boolean =>
  auth !== 'public' && (isWalletAuth(auth) || auth.orWallet === true);
/** Replaces each field of the path by an id. */
const urlOf = (path: string): string => path.replaceAll(/\{\w+\}/g, orderId);

/** Calls MCP as the wallet in the header, without a proof. */
async function callMcpAs(named: string, method: string, params: object, from: RunningGateway) {
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'x-wallet': named,
  };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const reply = await call('/mcp', { method: 'POST', headers, body }, from);
  return reply.text();
}

/** A fake of all services that answers every operation. */
async function answer(respond: (message: Msg) => void): Promise<void> {
  service.subscribe('op.>', { callback: (_error, message) => respond(message) });
  await service.flush();
}

/** Replies like the service of the operation, and encrypts the reply when the call is encrypted. */
function respondSealed(message: Msg, json = '{}'): void {
  const { subject, reply = '' } = message;
  if (!message.headers?.has(sealHeader)) return void message.respond(json);
  const identity = developmentIdentity(subject.split('.')[1]!);
  const { seal, body } = identity.seal('sealed-reply', 'gateway', { subject, reply }, Buffer.from(json));
  const headers = natsHeaders();
  headers.set(sealHeader, seal);
  message.respond(body, { headers });
}

/** Leaves the next request unanswered. `arrived` resolves with this request. */
async function nextRequest(): Promise<{ arrived: Promise<Msg> }> {
  let take: (message: Msg) => void;
  const arrived = new Promise<Msg>((resolve) => (take = resolve));
  await answer((message) => take(message));
  return { arrived };
}

beforeAll(async () => {
  nats = await startNats();
  gateway = await start(settings());
});
beforeEach(async () => {
  service = await connect({ servers: nats.url, maxReconnectAttempts: -1, reconnectTimeWait: 20 });
});
afterEach(() => service.close());
afterAll(async () => {
  await gateway.close();
  await nats.remove();
});

describe('a request to a service', () => {
  it('reaches its subject with the headers of the gateway only', async () => {
    const seen: Msg[] = [];
    await answer((message) => {
      seen.push(message);
      message.respond('{"ok":true}');
    });
    const headers = { 'tb-principal': 'merchant:1', 'nats-msg-id': '1', 'x-request-id': 'my-request-1' };
    const reply = await call(`/api/v1/pay/order/${orderId}`, { headers });
    expect([reply.status, await reply.text()]).toEqual([200, '{"ok":true}']);
    const [message] = seen;
    expect(message!.subject).toBe('op.pay-orders.orders.get-order');
    expect(message!.string()).toBe(JSON.stringify({ id: orderId }));
    expect(message!.headers!.keys().sort()).toEqual([
      'tb-principal',
      'tb-signature',
      'traceparent',
      'x-request-id',
    ]);
    expect(message!.headers!.get('tb-principal')).toBe('public');
    expect(message!.headers!.get('x-request-id')).toBe('my-request-1');
  });

  it('returns the reply of the service byte for byte', async () => {
    const odd = '{ "pay_amount" : "1" , "estimated_time":6.0,"x":"\\u00e9" }';
    await answer((message) => message.respond(odd));
    expect(await (await post('/api/v1/pay/quote', quote)).text()).toBe(odd);
  });

  it('returns the decrypted reply of an operation with secrets byte for byte, and never an unencrypted one', async () => {
    const odd = '{ "token":"tb_test_ws_x" , "sessionId" : "1" }';
    await answer((message) => respondSealed(message, odd));
    const reply = await post('/api/auth/verify', '{}');
    expect([reply.status, await reply.text()]).toEqual([200, odd]);
    expect([...reply.headers.keys()].filter((name) => name.startsWith('tb-'))).toEqual([]);
    await service.close();
    service = await connect({ servers: nats.url });
    await answer((message) => message.respond(odd));
    expect((await post('/api/auth/verify', '{}')).status).toBe(504);
  });

  it('returns the failure of the service', async () => {
    await answer((message) => {
      const failure = JSON.stringify({ code: 'QUOTE_UNAVAILABLE', message: 'No route.' });
      message.respond(failure, { headers: failureHeaders('QUOTE_UNAVAILABLE') });
    });
    const reply = await post('/api/v1/pay/quote', quote);
    expect([reply.status, await reply.json()]).toEqual([
      502,
      {
        error: 'No route.',
        code: 'QUOTE_UNAVAILABLE',
        request_id: reply.headers.get('x-request-id'),
        documentation_url: expect.stringMatching(/\/docs\/errors#QUOTE_UNAVAILABLE$/),
      },
    ]);
  });

  it('returns 500 without the text of an invalid reply', async () => {
    await answer((message) => message.respond('secret nonsense', { headers: failureHeaders('NOT_FOUND') }));
    const reply = await post('/api/v1/pay/quote', quote);
    expect(reply.status).toBe(500);
    expect(await reply.text()).not.toContain('nonsense');
  });

  it('returns 503 immediately when no service subscribes to its subject', async () => {
    const startedMs = performance.now();
    const reply = await post('/api/v1/pay/quote', quote);
    expect([reply.status, reply.headers.get('retry-after')]).toEqual([503, '1']);
    // The time-out of the operation is 8 seconds.
    expect(performance.now() - startedMs).toBeLessThan(7_000);
  });
});

describe('every operation', () => {
  it.each(operations.map((operation) => [`${operation.method} ${operation.path}`, operation] as const))(
    'reaches its service through its route: %s',
    async (_title, { method, path, hasBody, subject, auth }) => {
      let seen = '';
      await answer((message) => {
        seen = message.subject;
        respondSealed(message);
      });
      const url = path.replace(/\{\w+\}/g, orderId);
      const reply = hasBody ? await send(method, url, '{}') : await call(url, { method });
      // Without a key, the route exists but calls no service.
      expect([reply.status, seen]).toEqual(auth === 'public' ? [200, subject] : [401, '']);
    },
  );
});

describe('while the bus is unavailable', () => {
  afterEach(() => eventually(async () => expect((await call('/health/ready')).status).toBe(200)));

  it('returns 503 with Retry-After on every route long before its time-out, and recovers with the bus', async () => {
    await service.close();
    await nats.stop('SIGKILL');
    const asked = operations.filter(({ auth }) => auth === 'public');
    const check = async ({ method, path, hasBody }: (typeof operations)[number]): Promise<void> => {
      const startedMs = performance.now();
      const url = path.replace(/\{\w+\}/g, orderId);
      const reply = hasBody ? await send(method, url, '{}') : await call(url, { method });
      expect([url, reply.status, reply.headers.get('retry-after')]).toEqual([url, 503, '1']);
      expect(await reply.json()).toEqual({
        error: expect.stringContaining('not reachable'),
        code: 'SERVICE_UNAVAILABLE',
        retryAfter: 1,
        request_id: reply.headers.get('x-request-id'),
        documentation_url: expect.stringMatching(/\/docs\/errors#SERVICE_UNAVAILABLE$/),
      });
      // The shortest time-out is 8 seconds.
      expect(performance.now() - startedMs).toBeLessThan(7_000);
    };
    await Promise.all(asked.map(check));
    expect((await call('/health/ready')).status).toBe(503);
    expect((await call('/health/live')).status).toBe(200);

    await nats.start();
    service = await connect({ servers: nats.url });
    await answer((message) => message.respond('{}'));
    await eventually(async () => expect((await post('/api/v1/pay/quote', quote)).status).toBe(200));
  });

  it('returns 504 with Retry-After for each of 64 creates in progress when the bus connection is lost', async () => {
    let arrived = 0;
    await answer(() => void arrived++);
    const replies = Array.from({ length: 64 }, () => post('/api/v1/pay/create-order', quote));
    await eventually(() => expect(arrived).toBe(64));
    await service.close();
    await nats.stop('SIGKILL');
    for (const reply of await Promise.all(replies)) {
      expect([reply.status, reply.headers.get('retry-after')]).toEqual([504, '1']);
      expect(await reply.json()).toMatchObject({ code: 'OUTCOME_UNKNOWN', retryAfter: 1 });
    }
    await nats.start();
  });

  it('returns 504 OUTCOME_UNKNOWN for a call in progress long before its time-out', async () => {
    const { arrived } = await nextRequest();
    const reply = post('/api/v1/pay/quote', quote);
    const first = [arrived.then(() => 'arrived'), reply.then(({ status }) => `answered ${status}`)];
    expect(await Promise.race(first)).toBe('arrived');
    const startedMs = performance.now();
    await service.close();
    await nats.stop('SIGKILL');
    expect((await reply).status).toBe(504);
    expect(await (await reply).json()).toMatchObject({ code: 'OUTCOME_UNKNOWN' });
    expect(performance.now() - startedMs).toBeLessThan(7_000);
    await nats.start();
  });
});

describe('a service that does not answer', () => {
  it('causes 504 OUTCOME_UNKNOWN after the time-out of the operation', async () => {
    const bus = await BusConnection.open({ app: 'gateway', url: nats.url });
    const client = new BusClient(bus, new AnyCaller());
    const harness = await GatewayHarness.open();
    harness.answer = async ({ operation, json, context }) => {
      const impatient = { ...operation, timeoutMs: 300 };
      const { bytes } = await client.callBytes(impatient, Buffer.from(json), context);
      return Buffer.from(bytes).toString();
    };
    await answer(() => undefined);
    const startedMs = performance.now();
    const reply = await harness.send('PUT', '/samples/1', { body: '{"name":"x"}' });
    expect([reply.statusCode, JSON.parse(reply.body).code]).toEqual([504, 'OUTCOME_UNKNOWN']);
    expect(performance.now() - startedMs).toBeGreaterThan(290);
    // The operation itself has a time-out of 10 seconds.
    expect(performance.now() - startedMs).toBeLessThan(9_000);
    await harness.close();
    client.close();
    await bus.close();
  });
});

describe('start', () => {
  describe.each(['test', 'production'] as const)('in %s', (environment) => {
    const routes = gatewayRoutes(environment);
    const sandboxOnly = gatewayRoutes('sandbox').filter(({ declaration }) => declaration.isSandboxOnly);
    const ofWallets = routes.flatMap(({ declaration }) => (takesWallet(declaration) ? [declaration] : []));
    let other: RunningGateway;
    let reached: string[];
    const sendTo = (method: string, path: string, headers: Record<string, string> = {}) => {
      const body = method === 'GET' ? {} : { body: '{}' };
      const type = method === 'GET' ? {} : { 'content-type': 'application/json' };
      return call(urlOf(path), { method, headers: { ...type, ...headers }, ...body }, other);
    };

    beforeAll(async () => {
      const more = {
        TOLLBRIDGE_ENV: environment,
        ...testIdentities('gateway'),
        GATEWAY_PUBLIC_URL: 'https://test.example.com',
        STREAM_URL: 'http://stream.invalid:9206',
      };
      other = await start(settings(more));
    });
    beforeEach(async () => {
      reached = [];
      await answer((message) => {
        reached.push(message.subject);
        message.respond('{}');
      });
    });
    afterAll(() => other.close());

    it('serves and documents no route of the sandbox', async () => {
      expect(sandboxOnly.length).toBeGreaterThan(10);
      const document = (await (await call('/openapi.json', {}, other)).json()) as Record<string, any>;
      for (const { declaration } of sandboxOnly) {
        const { method, path } = declaration;
        // Paths below /dashboard/* return 405, because they have pages for other methods.
        const { status } = await sendTo(method, path);
        expect([path, [404, 405].includes(status)]).toEqual([path, true]);
        expect(Object.keys(document['paths'])).not.toContain(path);
      }
      expect(reached).toEqual([]);
      expect(document['servers']).toEqual([expect.objectContaining({ url: 'https://test.example.com' })]);
      expect((await call('/api/v1/pay/chains', {}, other)).status).toBe(200);
    });

    it('accepts a wallet header without a proof on no route and in no MCP tool', async () => {
      expect(ofWallets.length).toBeGreaterThan(50);
      for (const { method, path } of ofWallets) {
        const reply = await sendTo(method, path, { 'x-wallet': wallet });
        expect([path, reply.status, await reply.text()]).toEqual([
          path,
          401,
          expect.stringContaining('"reason":"wallet_unproven"'),
        ]);
      }
      const listed = await callMcpAs(wallet, 'tools/list', {}, other);
      expect(listed).toContain('"getOrder"');
      expect(listed).not.toContain('"replaceSettings"');
      const tool = { name: 'replaceSettings', arguments: { settings: {} } };
      expect(await callMcpAs(wallet, 'tools/call', tool, other)).toContain('wallet_unproven');
      expect(reached.filter((subject) => !subject.startsWith('op.service-api.sales.'))).toEqual([]);
    });
  });

  it('rejects an invalid configuration, and reports every problem in it', async () => {
    const env = {
      TOLLBRIDGE_ENV: 'production',
      ...testIdentities('gateway'),
      PORT: '70000',
      GATEWAY_NATS_URL: 'http://x',
      HOST: '',
      GATEWAY_TRUSTED_PROXIES: '10.0.0.0/33',
    };
    const failure = (await start(env).catch((error: Error) => error)) as Error;
    expect(failure.name).toBe('ConfigurationError');
    expect(failure.message.split('\n').slice(1)).toEqual([
      expect.stringContaining('GATEWAY_NATS_URL must be a URL with nats or tls'),
      expect.stringContaining('PORT must be an integer from 0 to 65535'),
      expect.stringContaining('GATEWAY_PUBLIC_URL is missing'),
      expect.stringContaining('GATEWAY_REDIS_URL is missing'),
      expect.stringContaining('GATEWAY_TRUSTED_PROXIES must be addresses or CIDR ranges'),
      expect.stringContaining('STREAM_URL is missing'),
    ]);
    expect(failure.message).not.toContain('70000');
  });

  it('rejects an unknown environment', async () => {
    await expect(start(settings({ TOLLBRIDGE_ENV: 'staging' }))).rejects.toThrow(
      'TOLLBRIDGE_ENV must be one of sandbox, test, production',
    );
  });

  it('rejects a missing environment', async () => {
    await expect(start(settings({ TOLLBRIDGE_ENV: '' }))).rejects.toThrow(
      'TOLLBRIDGE_ENV is missing: set it to one of sandbox, test, production',
    );
  });

  it.each([{ HOST: '0.0.0.0' }, { MANAGEMENT_HOST: '::' }, { GATEWAY_PUBLIC_URL: 'https://pay.example' }])(
    'rejects a sandbox that %j would expose',
    async (more) => {
      await expect(start(settings(more))).rejects.toThrow(
        `${Object.keys(more)[0]} lets other machines reach a sandbox`,
      );
    },
  );

  it.each(['PORT', 'GATEWAY_MANAGEMENT_PORT_NUMBER'])(
    'rejects a %s that is in use, and leaves no connection open',
    async (name) => {
      const { port } = new URL(gateway.url);
      const sockets = () =>
        process.getActiveResourcesInfo().filter((kind) => /^(TCP|Pipe)/.test(kind)).length;
      const before = sockets();
      await expect(start(settings({ [name]: port }))).rejects.toThrow(
        `${name} ${port} on 127.0.0.1 is in use`,
      );
      // Sockets of earlier tests may end meanwhile.
      await eventually(() => expect(sockets()).toBeLessThanOrEqual(before));
    },
  );
});

describe('close', () => {
  it('completes requests in progress and rejects new connections', async () => {
    const other = await start(settings());
    const { arrived } = await nextRequest();
    const reply = post('/api/v1/pay/quote', quote, other);
    const request = await arrived;
    const closed = other.close();
    await eventually(() => expect(call('/health/live', {}, other)).rejects.toThrow());
    request.respond('{"late":true}');
    expect(await (await reply).text()).toBe('{"late":true}');
    await closed;
  });
});
