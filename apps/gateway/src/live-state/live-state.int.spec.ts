import { orderEvents, paymentEvents } from '@tollbridge/contracts';
import { BusConnection, DomainError, developmentIdentity, eventHeaders } from '@tollbridge/rpc';
import { eventually, startNats, type NatsServer } from '@tollbridge/testing';
import { randomUUID } from 'node:crypto';
import type { GatewayConfig } from '../config';
import { EventStreamClient } from '../testing/event-stream-client';
import { GatewayHarness } from '../testing/gateway-harness';
import { RawConnection } from '../testing/raw-connection';
import { LiveStateModule } from './live-state.module';
import { liveStateRoutes } from './live-state.routes';

const requestId = '5f0c7f2e-4a1b-4a3e-9c1d-2b7a6d0e8f31';
const paymentId = '9a3d1c44-7be2-4f0a-8a6e-1d5c0b9f7e20';
const orderOfPayment = '0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d';

let nats: NatsServer;
let bus: BusConnection;
let services: BusConnection;
let harness: GatewayHarness;
let base: string;
const clients: EventStreamClient[] = [];
/** The replies of the fake services, by the id in the call. */
let stored: Map<string, object>;
/** Awaited before each reply of a fake service. */
let beforeReply: () => Promise<void>;

const orderOf = (version: number, status = 'waiting_payment', more: object = {}) => ({
  order_id: 'any',
  status,
  method: 'Direct',
  version,
  expires_at: '2026-11-20T12:30:00.000Z',
  ...more,
});
const paymentOf = (version: number, status = 'executing', id = paymentId, more: object = {}) => ({
  payment_id: id,
  payment_request_id: requestId,
  payment_request: { status: 'pending', expires_at: null },
  status,
  version,
  from_chain: 'eip155:8453',
  order_id: orderOfPayment,
  order: { method: 'Direct', expires_at: '2026-11-20T12:30:00.000Z' },
  pay_tx: null,
  instructions: null,
  ...more,
});

async function open(config: Partial<GatewayConfig> = {}): Promise<void> {
  bus = await BusConnection.open({ app: 'gateway', url: nats.url });
  services = await BusConnection.open({ app: 'services', url: nats.url });
  harness = await GatewayHarness.open({ imports: [LiveStateModule], routes: liveStateRoutes, bus, config });
  harness.answer = async ({ json }) => {
    const { id } = JSON.parse(json) as { id: string };
    // The state at the arrival of the call, because the reply may come later.
    const state = stored.get(id);
    await beforeReply();
    if (!state) throw new DomainError('NOT_FOUND', 'The order does not exist. Check its id.');
    return JSON.stringify(state);
  };
  base = `http://127.0.0.1:${await harness.listen()}`;
}

/**
 * Waits until NATS has the subscriptions. A reply of a real service on the same connection implies that, but the fake
 * services do not use the bus.
 */
const subscribed = () => bus.nats.flush();

async function follow(path: string, headers: Record<string, string> = {}): Promise<EventStreamClient> {
  const client = await EventStreamClient.open(base + path, headers);
  clients.push(client);
  await subscribed();
  return client;
}
const followOrder = (id: string, lastEventId?: string) =>
  follow(`/api/v1/pay/order/${id}/events`, lastEventId === undefined ? {} : { 'last-event-id': lastEventId });
const followPayment = (id: string) => follow(`/api/v1/payment/${id}/events`);

/** Creates an order with a state that clients can watch. */
function placeOrder(...given: Parameters<typeof orderOf>): string {
  const id = randomUUID();
  stored.set(id, orderOf(...given));
  return id;
}

/** Publishes a message with the signature of the app in the subject, like the outbox of that app. */
function publishText(subject: string, text: string): void {
  const data = Buffer.from(text);
  const signing = { identity: developmentIdentity(subject.split('.')[1]!), receivers: ['gateway'] };
  services.publish(subject, data, { headers: eventHeaders({ subject, data }, { signing })! });
}

function publish(subject: string, event: object): void {
  publishText(subject, JSON.stringify({ id: randomUUID(), version: 1, ...event }));
}

/** Publishes an event in the JSON format of PostgreSQL, which has spaces around colons. */
function publishOrder(id: string): void {
  const text = `{"id" : "${randomUUID()}", "type" : "order-settling", "aggregateId" : "${id}", "data" : {}}`;
  publishText(orderEvents['order-settling'].subject, text);
}

function change(id: string, ...given: Parameters<typeof orderOf>): void {
  stored.set(id, orderOf(...given));
  publishOrder(id);
}

function publishPayment(id: string, version: number): void {
  publish(paymentEvents['payment-changed'].subject, {
    type: 'payment-changed',
    aggregateId: id,
    aggregateVersion: version,
    occurredAt: '2026-11-20T12:00:07.000Z',
    data: {
      payment_id: id,
      payment_request_id: requestId,
      order_id: randomUUID(),
      status: 'executing',
      version,
      updated_at: '2026-11-20T12:00:07.000Z',
    },
  });
}

const metric = async (name: string): Promise<number> =>
  (await harness.metrics.registry.getSingleMetric(name)!.get()).values.reduce(
    (sum, { value }) => sum + value,
    0,
  );
const openStreams = () => metric('tollbridge_gateway_event_streams');
const readsOf = (id: string): number => harness.calls.filter(({ json }) => json.includes(id)).length;

beforeAll(async () => {
  nats = await startNats();
});
afterAll(() => nats.remove());

beforeEach(() => {
  stored = new Map();
  beforeReply = async () => undefined;
});

afterEach(async () => {
  for (const client of clients.splice(0)) client.close();
  harness.server.server.closeAllConnections();
  await harness.close();
  await Promise.all([bus.close(), services.close()]);
});

describe('a stream of an order', () => {
  it('begins with the current state and the headers of an event stream', async () => {
    await open();
    const id = placeOrder(1);
    const client = await followOrder(id);
    await eventually(() =>
      expect(client.text).toBe(`retry: 2000\n\nid: 1\nevent: order\ndata: ${JSON.stringify(orderOf(1))}\n\n`),
    );
    const { headers } = client.response;
    expect(client.status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      'access-control-allow-origin': '*',
      'x-content-type-options': 'nosniff',
    });
    expect(headers['x-request-id']).toMatch(/^req_/);
    expect(await openStreams()).toBe(1);
  });

  it('reads nothing for an event without a signature of pay-orders', async () => {
    await open();
    const id = placeOrder(1);
    const client = await followOrder(id);
    await eventually(() => expect(client.text).toContain('id: 1'));
    let reads = 0;
    beforeReply = async () => void reads++;
    const forged = JSON.stringify({ id: randomUUID(), type: 'order-settled', aggregateId: id, data: {} });
    for (const type of ['order-settled', 'order-settling'] as const)
      services.publish(orderEvents[type].subject, Buffer.from(forged));
    change(id, 2);
    await eventually(() => expect(client.text).toContain('id: 2'));
    expect(reads).toBe(1);
  });

  it('reads the order with the canonical id and the rate limits of GET', async () => {
    await open();
    const id = placeOrder(1);
    const rules: string[] = [];
    harness.admit = ({ subject }, _request, reply) => {
      rules.push(subject);
      void reply.header('ratelimit', '"address";r=7;t=1');
    };
    const client = await followOrder(id.toUpperCase());
    await eventually(() => expect(client.states).toEqual([['1', 'waiting_payment']]));
    expect(rules).toEqual(['op.pay-orders.orders.get-order']);
    expect(client.response.headers['ratelimit']).toBe('"address";r=7;t=1');
    const [{ operation, json, context }] = harness.calls as [(typeof harness.calls)[0]];
    expect([operation.subject, json, context.principal]).toEqual([
      'op.pay-orders.orders.get-order',
      JSON.stringify({ id }),
      'public',
    ]);
  });

  it('sends each change', async () => {
    await open();
    const id = placeOrder(1);
    const client = await followOrder(id);
    await eventually(() => expect(client.states).toHaveLength(1));
    change(id, 2, 'settling');
    await eventually(() => expect(client.states).toHaveLength(2));
    change(id, 3, 'waiting_payment');
    await eventually(() =>
      expect(client.states).toEqual([
        ['1', 'waiting_payment'],
        ['2', 'settling'],
        ['3', 'waiting_payment'],
      ]),
    );
    expect(await metric('tollbridge_gateway_event_stream_messages_total')).toBe(3);
  });

  it('sends nothing for a change of another order, or for a version that it has sent', async () => {
    await open();
    const [id, other] = [placeOrder(1), placeOrder(1)];
    const [client, second] = [await followOrder(id), await followOrder(other)];
    await eventually(() => expect([client.states.length, second.states.length]).toEqual([1, 1]));
    publishOrder(randomUUID());
    publishOrder(id);
    await eventually(() => expect(readsOf(id)).toBe(2));
    change(other, 2, 'settling');
    await eventually(() => expect(second.states).toHaveLength(2));
    expect([client.states.length, readsOf(other)]).toEqual([1, 2]);
  });

  it('reads a change once for all streams of the order', async () => {
    await open();
    const id = placeOrder(1);
    const followers = await Promise.all(Array.from({ length: 20 }, () => followOrder(id)));
    await eventually(() => expect(followers.every(({ states }) => states.length === 1)).toBe(true));
    const before = readsOf(id);
    change(id, 2, 'settling');
    await eventually(() => expect(followers.every(({ states }) => states.length === 2)).toBe(true));
    expect(readsOf(id) - before).toBe(1);
  });

  it('reads twice for a burst of changes', async () => {
    await open();
    const id = placeOrder(1);
    const client = await followOrder(id);
    await eventually(() => expect(client.states).toHaveLength(1));
    let goOn: () => void = () => undefined;
    beforeReply = () => new Promise((resolve) => (goOn = resolve));
    for (let version = 2; version <= 50; version++) change(id, version, 'settling');
    await services.nats.flush();
    await bus.nats.flush();
    await eventually(() => expect(readsOf(id)).toBe(2));
    beforeReply = async () => undefined;
    goOn();
    await eventually(() => expect(client.states.at(-1)).toEqual(['50', 'settling']));
    expect(readsOf(id)).toBe(3);
  });

  it('misses no change between the first read and its reply', async () => {
    await open();
    const id = placeOrder(1);
    let goOn: () => void = () => undefined;
    beforeReply = () => new Promise((resolve) => (goOn = resolve));
    const opening = followOrder(id);
    await eventually(() => expect(readsOf(id)).toBe(1));
    await subscribed();
    change(id, 2, 'settling');
    await services.nats.flush();
    await bus.nats.flush();
    beforeReply = async () => undefined;
    goOn();
    const client = await opening;
    await eventually(() =>
      expect(client.states).toEqual([
        ['1', 'waiting_payment'],
        ['2', 'settling'],
      ]),
    );
  });

  it('retries a read that fails after a change', async () => {
    await open();
    const id = placeOrder(1);
    const client = await followOrder(id);
    await eventually(() => expect(client.states).toHaveLength(1));
    let failures = 2;
    beforeReply = async () => {
      if (failures-- > 0) throw new DomainError('SERVICE_UNAVAILABLE');
    };
    change(id, 2, 'settling');
    await eventually(() => expect(client.states.at(-1)).toEqual(['2', 'settling']));
  });

  it('ends with `end` when the state is final', async () => {
    await open();
    const id = placeOrder(1);
    const client = await followOrder(id);
    await eventually(() => expect(client.states).toHaveLength(1));
    change(id, 2, 'settled');
    await eventually(() => expect(client.isClosed).toBe(true));
    expect(client.events.slice(1)).toEqual([
      { id: '2', event: 'order', data: orderOf(2, 'settled') },
      { id: '2', event: 'end', data: { reason: 'final' } },
    ]);
    await eventually(async () => expect(await openStreams()).toBe(0));
  });

  it('reads no changes after its last client has disconnected', async () => {
    await open();
    const id = placeOrder(1);
    const client = await followOrder(id);
    await eventually(async () => expect(await openStreams()).toBe(1));
    client.close();
    await eventually(async () => expect(await openStreams()).toBe(0));
    change(id, 2, 'settling');
    await services.nats.flush();
    await bus.nats.flush();
    expect(readsOf(id)).toBe(1);
    await eventually(() =>
      expect(harness.logged).toContainEqual(
        expect.objectContaining({ route: '/api/v1/pay/order/:id/events', status: 200 }),
      ),
    );
  });

  it('ends with its connection when the client sends another request on it', async () => {
    await open();
    const id = placeOrder(1);
    const connection = await RawConnection.open(Number(new URL(base).port));
    const ask = (path: string) => connection.send(`GET ${path} HTTP/1.1`, 'host: gateway', '', '');
    ask(`/api/v1/pay/order/${id}/events`);
    await eventually(() => expect(connection.received).toContain('id: 1\n'));
    ask(`/api/v1/pay/order/${id}/events`);
    await eventually(() => expect(connection.isClosed).toBe(true));
    expect(connection.received.match(/HTTP\/1.1 /g)).toHaveLength(1);
    expect(connection.received).toMatch(/data: {[^\n]*}\n\n$/);
    await eventually(async () => expect(await openStreams()).toBe(0));
  });

  it('returns 400 when another request waits on its connection', async () => {
    await open();
    const id = placeOrder(1);
    const connection = await RawConnection.open(Number(new URL(base).port));
    const lines = ['', `GET /api/v1/pay/order/${id}/events HTTP/1.1`, 'host: gateway', '', ''];
    connection.send(...lines.slice(1, -1), ...lines.slice(1));
    await eventually(() => expect(connection.received.match(/HTTP\/1.1 400 /g)).toHaveLength(2));
    expect(connection.received).toContain('Send its request alone.');
    connection.abort();
    await eventually(async () => expect(await openStreams()).toBe(0));
  });
});

describe('a stream with Last-Event-ID', () => {
  it('skips the state that the client has, and sends each later one', async () => {
    await open();
    const id = placeOrder(4, 'settling');
    const client = await followOrder(id, '4');
    await eventually(() => expect(client.text).toBe('retry: 2000\n\n'));
    change(id, 5, 'waiting_payment');
    await eventually(() => expect(client.states).toEqual([['5', 'waiting_payment']]));
  });

  it.each(['3', 'of another stream', ''])(
    'sends the state after the last event id %j',
    async (lastEventId) => {
      await open();
      const id = placeOrder(4, 'settling');
      const client = await followOrder(id, lastEventId);
      await eventually(() => expect(client.states).toEqual([['4', 'settling']]));
    },
  );

  it('accepts the id in the query', async () => {
    await open();
    const id = placeOrder(4, 'settling');
    const client = await follow(`/api/v1/pay/order/${id}/events?last_event_id=4`);
    await eventually(() => expect(client.text).toBe('retry: 2000\n\n'));
  });

  it('returns 204 if the client has the final state', async () => {
    await open();
    const id = placeOrder(6, 'settled');
    const client = await followOrder(id, '6');
    await eventually(() => expect(client.isClosed).toBe(true));
    expect([client.status, client.text]).toEqual([204, '']);
  });

  it('sends the final state and `end` if the client has an earlier state', async () => {
    await open();
    const client = await followOrder(placeOrder(6, 'settled'), '5');
    await eventually(() => expect(client.isClosed).toBe(true));
    expect(client.events.map(({ event }) => event)).toEqual(['order', 'end']);
  });

  it('sends every state of a service that returns no version', async () => {
    await open();
    const id = randomUUID();
    stored.set(id, { ...orderOf(1), version: undefined });
    const client = await followOrder(id, '1');
    await eventually(() => expect(client.states).toEqual([[undefined, 'waiting_payment']]));
  });
});

describe('a stream of a payment', () => {
  it('sends the changes of a payment with event ids that contain the payment id', async () => {
    await open();
    stored.set(paymentId, paymentOf(1));
    const client = await followPayment(paymentId);
    await eventually(() => expect(client.states).toEqual([[`${paymentId}.1`, 'executing']]));
    stored.set(paymentId, paymentOf(3, 'completed'));
    publishPayment(paymentId, 3);
    await eventually(() => expect(client.isClosed).toBe(true));
    expect(client.events.slice(1)).toEqual([
      { id: `${paymentId}.3`, event: 'payment', data: paymentOf(3, 'completed') },
      { id: `${paymentId}.3`, event: 'end', data: { reason: 'final' } },
    ]);
  });

  it('continues with the next payment of a payment request', async () => {
    await open();
    const second = randomUUID();
    stored.set(requestId, paymentOf(2));
    const client = await followPayment(requestId);
    await eventually(() => expect(client.states).toEqual([[`${paymentId}.2`, 'executing']]));
    stored.set(requestId, paymentOf(2, 'executing', second));
    publishPayment(second, 2);
    await eventually(() => expect(client.states.at(-1)).toEqual([`${second}.2`, 'executing']));
  });
});

describe('a stream of changes without an event', () => {
  const confirmed = (confirmations: number) => ({
    pay_blockchain: 'eip155:8453',
    confirmations,
    required_confirmations: 3,
  });

  it('sends each confirmation of an order until it is settled', async () => {
    await open();
    const id = placeOrder(2, 'settling', confirmed(1));
    const client = await followOrder(id);
    await eventually(() => expect(client.states).toEqual([['2.1', 'settling']]));
    stored.set(id, orderOf(2, 'settling', confirmed(2)));
    await eventually(() => expect(client.states.at(-1)).toEqual(['2.2', 'settling']));
    change(id, 3, 'settled', confirmed(3));
    await eventually(() => expect(client.isClosed).toBe(true));
    expect(client.events.map(({ id: it }) => it)).toEqual(['2.1', '2.2', '3', '3']);
  });

  it('sends nothing until the next block', async () => {
    await open();
    const id = placeOrder(2, 'settling', confirmed(1));
    const client = await followOrder(id);
    await eventually(() => expect(readsOf(id)).toBeGreaterThanOrEqual(3));
    expect(client.states).toEqual([['2.1', 'settling']]);
  });

  it('sends the confirmations of a payment, which only its order contains', async () => {
    await open();
    stored.set(orderOfPayment, orderOf(2, 'settling', confirmed(1)));
    stored.set(paymentId, paymentOf(2, 'executing', paymentId, { pay_tx: '0xabc' }));
    const client = await followPayment(paymentId);
    await eventually(() => expect(client.states).toEqual([[`${paymentId}.2.1`, 'executing']]));
    expect(client.events[0]!.data).toMatchObject({ confirmations: 1, required_confirmations: 3 });
    stored.set(orderOfPayment, orderOf(2, 'settling', confirmed(2)));
    await eventually(() => expect(client.states.at(-1)![0]).toBe(`${paymentId}.2.2`));
  });

  it('sends the payment without confirmations while its order cannot be read', async () => {
    await open();
    stored.set(paymentId, paymentOf(2, 'executing', paymentId, { pay_tx: '0xabc' }));
    const client = await followPayment(paymentId);
    await eventually(() => expect(client.states).toEqual([[`${paymentId}.2`, 'executing']]));
    stored.set(orderOfPayment, orderOf(2, 'settling', confirmed(2)));
    await eventually(() => expect(client.states.at(-1)![0]).toBe(`${paymentId}.2.2`));
  });

  it('sends the expiry of a payment request at its expiry time', async () => {
    await open();
    const request = (status: string, inMs: number) => ({
      payment_request: { status, expires_at: new Date(Date.now() + inMs).toISOString() },
    });
    stored.set(paymentId, paymentOf(1, 'executing', paymentId, request('pending', 1_500)));
    const later = randomUUID();
    stored.set(later, paymentOf(1, 'executing', later, request('pending', 600_000)));
    const [client, other] = [await followPayment(paymentId), await followPayment(later)];
    await eventually(() => expect([client, other].map(({ states }) => states.length)).toEqual([1, 1]));
    stored.set(paymentId, paymentOf(1, 'executing', paymentId, request('expired', 0)));
    await eventually(() => expect(client.states.at(-1)![0]).toBe(`${paymentId}.1.expired`));
    // The other payment request has not expired, so it was not read again.
    expect(readsOf(later)).toBe(1);
  });

  it('sends the cancellation of a payment request, which the merchant app publishes', async () => {
    await open();
    const more = { payment_request: { status: 'canceled', expires_at: null } };
    stored.set(paymentId, paymentOf(1));
    const client = await followPayment(paymentId);
    await eventually(() => expect(client.states).toHaveLength(1));
    stored.set(paymentId, paymentOf(1, 'executing', paymentId, more));
    publishPayment(paymentId, 1);
    await eventually(() => expect(client.states.at(-1)![0]).toBe(`${paymentId}.1.canceled`));
  });
});

describe('a request for a stream', () => {
  it('returns 404 for an unknown id, and 400 for an undeclared field', async () => {
    await open();
    const unknown = await followOrder(randomUUID());
    expect([unknown.status, (await unknown.body()).code]).toEqual([404, 'NOT_FOUND']);
    const malformed = await followOrder('no-uuid');
    expect([malformed.status, (await malformed.body()).code]).toEqual([404, 'NOT_FOUND']);
    const more = await follow(`/api/v1/pay/order/${placeOrder(1)}/events?payer=me`);
    expect([more.status, (await more.body()).details]).toEqual([
      400,
      [expect.objectContaining({ field: 'payer' })],
    ]);
    expect((await harness.send('HEAD', `/api/v1/pay/order/${placeOrder(1)}/events`)).statusCode).toBe(405);
  });

  it('returns the failure of the service', async () => {
    await open();
    beforeReply = async () => {
      throw new DomainError('OUTCOME_UNKNOWN');
    };
    const client = await followOrder(placeOrder(1));
    expect([client.status, (await client.body()).code]).toEqual([504, 'OUTCOME_UNKNOWN']);
    expect(await openStreams()).toBe(0);
  });

  it('returns 503 above the limit of the process, until a stream ends', async () => {
    await open({ GATEWAY_MAX_EVENT_STREAMS: 2 });
    const id = placeOrder(1);
    const [first] = [await followOrder(id), await followOrder(id)];
    const rejected = await followOrder(id);
    expect([rejected.status, rejected.response.headers['retry-after']]).toEqual([503, '5']);
    expect(await rejected.body()).toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfter: 5 });
    first.close();
    await eventually(async () => expect((await followOrder(id)).status).toBe(200));
  });

  it('returns 429 above the limit of its address', async () => {
    await open({ GATEWAY_MAX_EVENT_STREAMS_PER_ADDRESS: 1, GATEWAY_TRUSTED_PROXIES: '127.0.0.1' });
    const path = `/api/v1/pay/order/${placeOrder(1)}/events`;
    const from = (address: string) => follow(path, { 'x-forwarded-for': address });
    const [first, other, rejected] = [await from('6.6.6.6'), await from('7.7.7.7'), await from('6.6.6.6')];
    expect([first.status, other.status, rejected.status]).toEqual([200, 200, 429]);
    expect(await rejected.body()).toMatchObject({ code: 'RATE_LIMIT_EXCEEDED', retryAfter: 30 });
  });

  it('releases its slot after a failure, and when the client disconnects before the reply', async () => {
    await open({ GATEWAY_MAX_EVENT_STREAMS: 1 });
    for (let count = 0; count < 3; count++) expect((await followOrder(randomUUID())).status).toBe(404);
    const id = placeOrder(1);
    let goOn: () => void = () => undefined;
    beforeReply = () => new Promise((resolve) => (goOn = resolve));
    const connection = await RawConnection.open(Number(new URL(base).port));
    connection.send(`GET /api/v1/pay/order/${id}/events HTTP/1.1`, 'host: gateway', '', '');
    await eventually(() => expect(readsOf(id)).toBe(1));
    connection.abort();
    await eventually(() => expect(harness.logged.filter(({ status }) => status === 499)).toHaveLength(1));
    beforeReply = async () => undefined;
    goOn();
    await eventually(async () => expect((await followOrder(id)).status).toBe(200));
  });
});

it('ends the stream of a client that does not read', async () => {
  await open();
  const id = placeOrder(1, 'waiting_payment', { note: 'x'.repeat(60_000) });
  const client = await followOrder(id);
  client.response.pause();
  await eventually(async () => expect(await openStreams()).toBe(1));
  let version = 1;
  const hasEnded = async () => (await metric('tollbridge_gateway_event_streams_slow_total')) === 1;
  await eventually(
    async () => {
      const before = readsOf(id);
      change(id, ++version, 'settling', { note: 'x'.repeat(60_000) });
      // After the end of the stream, changes are not read any more.
      await eventually(async () => expect(readsOf(id) > before || (await hasEnded())).toBe(true));
      expect(await hasEnded()).toBe(true);
    },
    { everyMs: 1 },
  );
  // The socket buffers contain far less than the data that would accumulate without the limit.
  expect(version).toBeLessThan(400);
  await eventually(async () => expect(await openStreams()).toBe(0));
});

it('refreshes the streams after a restart of NATS', async () => {
  await open();
  const ids = Array.from({ length: 100 }, () => placeOrder(1));
  const followers = await Promise.all(ids.slice(0, 40).map((id) => followOrder(id)));
  await eventually(() => expect(followers.every(({ states }) => states.length === 1)).toBe(true));
  await nats.stop();
  await eventually(() => expect(bus.isConnected).toBe(false));
  // These changes happen while the gateway is disconnected, so it receives no events for them.
  const changed = ids.slice(0, 20);
  for (const id of changed) stored.set(id, orderOf(2, 'settling'));
  await nats.start();
  await eventually(() =>
    expect(followers.slice(0, 20).every(({ states }) => states.length === 2)).toBe(true),
  );
  expect(followers.slice(20).every(({ states }) => states.length === 1)).toBe(true);
  await eventually(() => expect(services.isConnected).toBe(true));
  // Later changes arrive again.
  change(ids[30]!, 2, 'settling');
  await eventually(() => expect(followers[30]!.states).toHaveLength(2));
});

it('ends all streams with `retry` on a graceful stop', async () => {
  await open();
  const followers = [await followOrder(placeOrder(1)), await followOrder(placeOrder(1))];
  await eventually(() => expect(followers.every(({ states }) => states.length === 1)).toBe(true));
  const startedMs = performance.now();
  await harness.close();
  expect(performance.now() - startedMs).toBeLessThan(10_000);
  await eventually(() => expect(followers.every(({ isClosed }) => isClosed)).toBe(true));
  for (const { text, events } of followers) {
    const [, waitMs] = /retry: (\d+)\n\n$/.exec(text)!;
    expect(Number(waitMs)).toBeGreaterThanOrEqual(1_000);
    expect(Number(waitMs)).toBeLessThanOrEqual(3_000);
    expect(events.map(({ event }) => event)).toEqual(['order']);
  }
});
