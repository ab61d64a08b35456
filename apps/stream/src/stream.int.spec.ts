import { clientMessagesAtOnce, maxSubscriptionsPerSocket } from '@tollbridge/contracts';
import { eventually, startNats, startRestrictedNats, type NatsServer } from '@tollbridge/testing';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { WebSocket } from 'ws';
import { start, type RunningStream } from '.';
import { FakeEngine, updateOf } from './testing/fake-engine';
import { handshake, rejectedHandshake, TestClient } from './testing/test-client';

process.env['LOG_LEVEL'] = 'silent';

const path = '/v1/transaction/stream';
let nats: NatsServer;
let engine: FakeEngine;
let stream: RunningStream;
const clients: TestClient[] = [];
/** The replicas of one test. They are closed after each test, because open ones keep jest running. */
const replicas: RunningStream[] = [];

const settings = (more: Record<string, string> = {}): NodeJS.ProcessEnv => ({
  TOLLBRIDGE_ENV: 'sandbox',
  STREAM_NATS_URL: nats.url,
  STREAM_PORT_NUMBER: '0',
  STREAM_MANAGEMENT_PORT_NUMBER: '0',
  STREAM_MAX_SOCKETS_PER_ADDRESS: '1000',
  ...more,
});

async function open(from = stream, headers: Record<string, string> = {}): Promise<TestClient> {
  const client = await TestClient.open(from.url, { headers });
  clients.push(client);
  return client;
}

async function replica(more: Record<string, string> = {}): Promise<RunningStream> {
  const started = await start(settings(more));
  replicas.push(started);
  return started;
}

async function metric(name: string, from = stream): Promise<number> {
  const [first] = (await from.metrics.registry.getSingleMetric(name)!.get()).values;
  return first?.value ?? 0;
}

/** Resolves when all messages of a socket are answered, because replies are in order. */
async function answered(client: TestClient): Promise<void> {
  const pongs = () => client.types.filter((type) => type === 'pong').length;
  const before = pongs();
  client.send({ action: 'ping' });
  await eventually(() => expect(pongs()).toBe(before + 1));
}

/** A socket with a subscription to a new transaction set. */
async function following(from = stream): Promise<{ client: TestClient; id: string }> {
  const id = engine.create();
  const client = (await open(from)).subscribe(id);
  await eventually(() => expect(client.versions).toEqual([1]));
  return { client, id };
}

beforeAll(async () => {
  nats = await startNats();
  stream = await start(settings());
});
beforeEach(async () => {
  engine = await FakeEngine.start(nats.url);
});
afterEach(async () => {
  for (const client of clients.splice(0)) client.close();
  for (const one of replicas.splice(0)) await one.close();
  await engine.stop();
  await eventually(async () => expect(await metric('tollbridge_stream_sockets')).toBe(0));
  expect(await metric('tollbridge_stream_subscriptions')).toBe(0);
  expect(await metric('tollbridge_stream_transactions')).toBe(0);
});
afterAll(async () => {
  await stream.close();
  await nats.remove();
});

describe('a subscription', () => {
  it('gets an acknowledgement, then the current state, and then every update', async () => {
    const id = engine.create();
    const client = (await open()).subscribe(id);
    await eventually(() => expect(client.messages).toHaveLength(2));
    engine.update(id, 2, { status: 'completed', confirmations: 3 });
    await eventually(() => expect(client.messages).toHaveLength(3));
    expect(client.messages).toEqual([
      { type: 'subscribed', transactionId: id },
      { type: 'transaction_update', data: updateOf(id, 1) },
      { type: 'transaction_update', data: updateOf(id, 2, { status: 'completed', confirmations: 3 }) },
    ]);
  });

  it('loses and repeats no update between the subscription and the snapshot', async () => {
    const id = engine.create();
    // The state that was read before the changes arrives after them.
    engine.respond = (_id, answer) => {
      for (const version of [3, 4]) engine.publish(id, updateOf(id, version));
      answer();
    };
    const client = (await open()).subscribe(id);
    await eventually(() => expect(client.versions).toEqual([3, 4]));
    engine.update(id, 5);
    await eventually(() => expect(client.versions).toEqual([3, 4, 5]));
    expect(client.types.filter((type) => type === 'subscribed')).toHaveLength(1);
    expect(client.types[0]).toBe('subscribed');
  });

  it('applies a snapshot that is newer than the events', async () => {
    const id = engine.create();
    let answer: () => void = () => undefined;
    engine.respond = (_id, respond) => (answer = respond);
    engine.states.set(id, updateOf(id, 7));
    const client = (await open()).subscribe(id);
    await eventually(() => expect(engine.asked).toEqual([id]));
    engine.publish(id, updateOf(id, 6));
    await eventually(() => expect(client.versions).toEqual([6]));
    answer();
    await eventually(() => expect(client.versions).toEqual([6, 7]));
  });

  it('skips outdated, repeated, invalid and forged events', async () => {
    const { client, id } = await following();
    for (const version of [2, 2, 5, 3, 4, 5, 1, 6]) engine.publish(id, updateOf(id, version));
    engine.publish(id, { transactionId: id });
    engine.publish(id, updateOf(id, 99), true);
    engine.publish(id, updateOf(randomUUID(), 9));
    engine.publishText(`events.tx-engine.transaction-updated.v1.${id}`, 'not JSON');
    engine.update(id, 7);
    await eventually(() => expect(client.versions).toEqual([1, 2, 5, 6, 7]));
  });

  it('shares one bus subscription between sockets and ends it with the last one', async () => {
    const { client, id } = await following();
    const other = (await open()).subscribe(id);
    await eventually(() => expect(other.versions).toEqual([1]));
    expect(engine.asked).toEqual([id]);
    expect(await metric('tollbridge_stream_transactions')).toBe(1);
    expect(await metric('tollbridge_stream_subscriptions')).toBe(2);
    engine.update(id, 2);
    await eventually(() =>
      expect([client.versions, other.versions]).toEqual([
        [1, 2],
        [1, 2],
      ]),
    );
    client.close();
    await eventually(async () => expect(await metric('tollbridge_stream_subscriptions')).toBe(1));
    engine.update(id, 3);
    await eventually(() => expect(other.versions).toEqual([1, 2, 3]));
    other.unsubscribe(id);
    await eventually(async () => expect(await metric('tollbridge_stream_transactions')).toBe(0));
  });

  it('sends the current state again when repeated', async () => {
    const { client, id } = await following();
    engine.update(id, 2);
    await eventually(() => expect(client.versions).toEqual([1, 2]));
    client.subscribe(id);
    await eventually(() => expect(client.versions).toEqual([1, 2, 2]));
    engine.update(id, 3);
    await eventually(() => expect(client.versions).toEqual([1, 2, 2, 3]));
    expect(await metric('tollbridge_stream_subscriptions')).toBe(1);
  });

  it('ends after an unsubscribe message, even before the snapshot arrives', async () => {
    const { client, id } = await following();
    client.unsubscribe(id);
    await eventually(() =>
      expect(client.messages.at(-1)).toEqual({ type: 'unsubscribed', transactionId: id }),
    );
    engine.update(id, 2);
    await engine.nats.flush();
    let answer: () => void = () => undefined;
    engine.respond = (_id, respond) => (answer = respond);
    client.subscribe(id);
    await eventually(() => expect(engine.asked).toHaveLength(2));
    client.unsubscribe(id);
    await answered(client);
    answer();
    await engine.nats.flush();
    await answered(client);
    expect(client.types).toEqual([
      'subscribed',
      'transaction_update',
      'unsubscribed',
      'unsubscribed',
      'pong',
      'pong',
    ]);
  });

  it('gets NOT_FOUND for an unknown set, and the socket stays open', async () => {
    const [id, client] = [randomUUID(), await open()];
    client.subscribe(id);
    const error = { code: 'NOT_FOUND', message: 'The transactionId is unknown.' };
    await eventually(() => expect(client.messages).toEqual([{ type: 'error', error, transactionId: id }]));
    await answered(client);
    // The set may be created later.
    engine.states.set(id, updateOf(id, 1));
    client.subscribe(id);
    await eventually(() => expect(client.versions).toEqual([1]));
  });

  it('gets SERVICE_UNAVAILABLE while tx-engine is down, and succeeds afterwards', async () => {
    const id = engine.create();
    const client = await open();
    await engine.stop();
    client.subscribe(id);
    await eventually(() => expect(client.messages.at(-1)?.error?.code).toBe('SERVICE_UNAVAILABLE'));
    const { states } = engine;
    engine = await FakeEngine.start(nats.url);
    engine.states.set(id, states.get(id)!);
    client.subscribe(id);
    await eventually(() => expect(client.versions).toEqual([1]));
  });

  it('gets TOO_MANY_SUBSCRIPTIONS above the limit of one socket until another one ends', async () => {
    const client = await open();
    const ids = Array.from({ length: maxSubscriptionsPerSocket + 1 }, () => engine.create());
    for (const id of ids) client.subscribe(id);
    await eventually(() => expect(client.updates).toHaveLength(maxSubscriptionsPerSocket));
    const errors = client.messages.filter(({ type }) => type === 'error');
    const error = expect.objectContaining({ code: 'TOO_MANY_SUBSCRIPTIONS' });
    expect(errors).toEqual([{ type: 'error', error, transactionId: ids.at(-1) }]);
    client.unsubscribe(ids[0]!).subscribe(ids.at(-1)!);
    await eventually(() => expect(client.updates.at(-1)?.transactionId).toBe(ids.at(-1)));
  });

  it('gets SERVICE_UNAVAILABLE above the limit of the process', async () => {
    const small = await replica({ STREAM_MAX_TRANSACTIONS: '1' });
    const { client, id } = await following(small);
    client.subscribe(engine.create());
    await eventually(() => expect(client.messages.at(-1)?.error?.code).toBe('SERVICE_UNAVAILABLE'));
    const other = (await open(small)).subscribe(id);
    await eventually(() => expect(other.versions).toEqual([1]));
  });
});

describe('a message', () => {
  it('causes an error when it is invalid, and the socket stays open', async () => {
    const client = await open();
    const bad = [
      '{',
      '[]',
      '"subscribe"',
      '{}',
      '{"action":"fly"}',
      '{"action":"subscribe","transactionId":"*"}',
    ];
    for (const text of bad) client.send(text);
    client.send(Buffer.from('{"action":"ping"}'));
    await answered(client);
    expect(client.messages.map(({ error }) => error?.code)).toEqual([
      'MALFORMED_JSON',
      'VALIDATION_ERROR',
      'VALIDATION_ERROR',
      'VALIDATION_ERROR',
      'VALIDATION_ERROR',
      'NOT_FOUND',
      'MALFORMED_JSON',
      undefined,
    ]);
    expect(engine.asked).toEqual([]);
  });

  it('closes the socket above 4 KiB, whole or fragmented', async () => {
    const [whole, pieces] = [await open(), await open()];
    whole.send('x'.repeat(4_097));
    for (let piece = 0; piece < 5; piece++) pieces.socket.send('x'.repeat(1_000), { fin: false });
    await eventually(() => expect([whole.closed?.[0], pieces.closed?.[0]]).toEqual([1009, 1009]));
  });

  it('closes the socket when it has endless empty fragments', async () => {
    const client = await open();
    for (let piece = 0; piece < 50; piece++) client.socket.send('', { fin: false });
    await eventually(() => expect(client.closed?.[0]).toBe(1008));
  });

  it('closes the socket above the rate limit, for all frame types', async () => {
    const [messages, pings, pongs] = [await open(), await open(), await open()];
    for (let sent = 0; sent < clientMessagesAtOnce + 20; sent++) {
      messages.send({ action: 'ping' });
      pings.socket.ping();
      pongs.socket.pong();
    }
    const over = [1008, 'too many messages'];
    await eventually(() => expect([messages.closed, pongs.closed]).toEqual([over, over]));
    // Buffered replies have a separate limit, which this test does not cover.
    await eventually(() => expect(pings.closed).toBeDefined());
  });

  it.each([
    ['no mask', Buffer.from([0x81, 0x02, 0x7b, 0x7d]), 1002],
    ['an unknown kind', Buffer.from([0x83, 0x80, 0, 0, 0, 0]), 1002],
    ['a compression that was not negotiated', Buffer.from([0xc1, 0x80, 0, 0, 0, 0]), 1002],
    ['text that is not UTF-8', Buffer.from([0x81, 0x81, 0, 0, 0, 0, 0xff]), 1007],
  ])('closes the socket when it is invalid: %s', async (_name, frame, code) => {
    const client = await open();
    (client.socket as unknown as { _socket: Socket })._socket.write(frame);
    await eventually(() => expect(client.closed?.[0]).toBe(code));
    (await open()).close();
  });
});

describe('a slow reader', () => {
  // About twenty bursts are needed, because the operating system buffers some megabytes for a socket.
  const updatesAtOnce = 500;

  /**
   * Publishes bursts until a slow reader is closed. Each burst starts when the other client has received the previous
   * one.
   */
  async function overwhelm(id: string, other: TestClient): Promise<number> {
    const slowReaders = (): Promise<number> => metric('tollbridge_stream_slow_readers_total');
    const before = await slowReaders();
    let version = 1;
    while ((await slowReaders()) === before) {
      for (let burst = 0; burst < updatesAtOnce; burst++) engine.update(id, ++version);
      await eventually(() => expect(other.messages.at(-1)).toMatchObject({ data: { version } }));
    }
    expect(await slowReaders()).toBe(before + 1);
    return version;
  }

  it('loses its connection and does not delay other clients', async () => {
    const { client: slow, id } = await following();
    const other = (await open()).subscribe(id);
    await eventually(() => expect(other.versions).toEqual([1]));
    slow.socket.pause();
    const version = await overwhelm(id, other);
    expect(other.versions).toEqual(Array.from({ length: version }, (_, index) => index + 1));
    await eventually(async () => expect(await metric('tollbridge_stream_sockets')).toBe(1));
  });

  it('receives the close code when it starts to read again', async () => {
    const { client: slow, id } = await following();
    const other = (await open()).subscribe(id);
    await eventually(() => expect(other.versions).toEqual([1]));
    slow.socket.pause();
    await overwhelm(id, other);
    slow.socket.resume();
    await eventually(() => expect(slow.closed).toEqual([1013, 'updates were not read']));
  });
});

describe('a handshake', () => {
  it.each([
    ['on another path', '/v1/transaction', {}, 404, 'NOT_FOUND'],
    ['of another version', path, { 'sec-websocket-version': '7' }, 400, 'VALIDATION_ERROR'],
    ['with a bad key', path, { 'sec-websocket-key': 'short' }, 400, 'VALIDATION_ERROR'],
    ['of another protocol', path, { upgrade: 'h2c' }, 426, 'UPGRADE_REQUIRED'],
    ['without the connection header', path, { connection: 'close' }, 426, 'UPGRADE_REQUIRED'],
  ])('gets an error in the envelope: %s', async (_name, where, changed, status, code) => {
    const reply = await rejectedHandshake(stream.url + where, { headers: { ...handshake, ...changed } });
    expect(reply.status).toBe(status);
    expect(reply.body).toMatchObject({ success: false, data: null, error: { code } });
  });

  it.each([
    ['GET', path, 426],
    ['POST', path, 405],
    ['GET', '/', 404],
  ])('rejects a request without a handshake: %s %s returns %i', async (method, where, status) => {
    const reply = await rejectedHandshake(stream.url + where, { method });
    expect(reply.status).toBe(status);
    expect(reply.headers['upgrade']).toBe(status === 426 ? 'websocket' : undefined);
  });

  it('gets 429 above the limit of one address until one socket closes', async () => {
    const small = await replica({ STREAM_MAX_SOCKETS_PER_ADDRESS: '2' });
    const from = (address: string) => ({ 'x-forwarded-for': address });
    const [first] = [await open(small, from('203.0.113.7')), await open(small, from('203.0.113.7'))];
    const reply = await rejectedHandshake(small.url + path, {
      headers: { ...handshake, ...from('203.0.113.7') },
    });
    expect([reply.status, reply.body.error.code]).toEqual([429, 'RATE_LIMIT_EXCEEDED']);
    expect(reply.headers['retry-after']).toBe('30');
    await open(small, from('203.0.113.8'));
    first.close();
    await eventually(async () => expect(await metric('tollbridge_stream_sockets', small)).toBe(2));
    await open(small, from('203.0.113.7'));
  });

  it('gets 503 above the limit of the process', async () => {
    const small = await replica({ STREAM_MAX_SOCKETS: '1' });
    await open(small);
    const reply = await rejectedHandshake(small.url + path, { headers: handshake });
    expect([reply.status, reply.body.error.code, reply.body.retryAfter]).toEqual([
      503,
      'SERVICE_UNAVAILABLE',
      5,
    ]);
  });

  it('negotiates no compression and no subprotocol', async () => {
    const client = await TestClient.open(stream.url, { perMessageDeflate: true });
    clients.push(client);
    expect([client.socket.extensions, client.socket.protocol]).toEqual(['', '']);
  });

  it('times out when it never completes', async () => {
    const { hostname, port } = new URL(stream.url);
    const socket = connect(Number(port), hostname);
    socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\n`);
    socket.resume();
    const startedMs = performance.now();
    await once(socket, 'close');
    expect(performance.now() - startedMs).toBeLessThan(9_000);
  });
});

describe('a reconnection of the bus', () => {
  it('requests the state of every subscribed set again', async () => {
    const own = await replica();
    const [one, other] = [await following(own), await following(own)];
    const { states } = engine;
    await nats.stop('SIGKILL');
    await eventually(() => expect(own.bus.isConnected).toBe(false));
    // Published without subscribers.
    states.set(one.id, updateOf(one.id, 8));
    await nats.start();
    await eventually(() => expect(one.client.versions).toEqual([1, 8]));
    engine.update(one.id, 9);
    engine.update(other.id, 2);
    await eventually(() => expect(one.client.versions).toEqual([1, 8, 9]));
    await eventually(() => expect(other.client.versions).toEqual([1, 2]));
    await eventually(() => expect(stream.bus.isConnected).toBe(true));
  });

  it('retries until the bus replies', async () => {
    const own = await replica();
    const { client, id } = await following(own);
    const { states } = engine;
    await engine.stop();
    await nats.stop('SIGKILL');
    await eventually(() => expect(own.bus.isConnected).toBe(false));
    await nats.start();
    await eventually(() => expect(own.bus.isConnected).toBe(true));
    // The request has failed, because no service replied.
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(client.versions).toEqual([1]);
    engine = await FakeEngine.start(nats.url);
    engine.states.set(id, { ...states.get(id)!, version: 2 });
    await eventually(() => expect(client.versions).toEqual([1, 2]));
    expect(client.types).not.toContain('error');
    await eventually(() => expect(stream.bus.isConnected).toBe(true));
  });
});

describe('a rejected subscription', () => {
  const usersWhere = (subjects: string[]): string => `
    { user: stream, password: pass, permissions { subscribe: ${JSON.stringify(subjects)} } }
    { user: engine, password: pass }`;
  const [ownSubjects, updates] = [['op.stream.>', '_INBOX.stream.>'], 'events.tx-engine.>'];

  it('delivers updates when the bus is back with other users, and then requests the state', async () => {
    const restricted = await startRestrictedNats(usersWhere([...ownSubjects, updates]));
    const own = await replica({ STREAM_NATS_URL: `nats://stream:pass@${restricted.host}` });
    const { nats: other } = engine;
    engine = await FakeEngine.start(`nats://engine:pass@${restricted.host}`);
    try {
      const { client, id } = await following(own);
      const rejected: string[] = [];
      own.bus.onViolation(({ subject }) => rejected.push(subject));
      await restricted.reload(usersWhere(ownSubjects));
      await eventually(() => expect(rejected).toEqual([`events.tx-engine.transaction-updated.v1.${id}`]));
      // This update is not received.
      engine.update(id, 2);
      await engine.nats.flush();
      await restricted.reload(usersWhere([...ownSubjects, updates]));
      // Published between the request for the state and its reply.
      engine.respond = (_id, answer) => {
        engine.publish(id, updateOf(id, 3));
        answer();
      };
      own.bus.reconnect();
      await eventually(() => expect(client.versions).toEqual([1, 3]));
      engine.update(id, 4);
      await eventually(() => expect(client.versions).toEqual([1, 3, 4]));
    } finally {
      await Promise.all([other.close(), own.close()]);
      await restricted.close();
    }
  });
});

describe('two replicas', () => {
  it('send the same updates, each to its own sockets', async () => {
    const second = await replica();
    const { client, id } = await following();
    const other = (await open(second)).subscribe(id);
    await eventually(() => expect(other.versions).toEqual([1]));
    engine.update(id, 2);
    await eventually(() =>
      expect([client.versions, other.versions]).toEqual([
        [1, 2],
        [1, 2],
      ]),
    );
    await second.close();
    expect(client.closed).toBeUndefined();
    await eventually(() => expect(other.closed).toEqual([1012, 'the service restarts']));
  });
});

describe('a shutdown', () => {
  it('closes all clients with a request to reconnect, waits briefly for their close frames, and rejects new sockets', async () => {
    const own = await replica();
    const polite = (await following(own)).client;
    const silent = await open(own);
    silent.socket.pause();
    const startedMs = performance.now();
    const closed = own.close();
    await eventually(() => expect(polite.closed).toEqual([1012, 'the service restarts']));
    await expect(TestClient.open(own.url)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    await closed;
    expect(performance.now() - startedMs).toBeLessThan(10_000);
    await eventually(async () => expect(await metric('tollbridge_stream_sockets', own)).toBe(0));
  });

  it('ends early when all clients have closed', async () => {
    // Retries on a busy machine. A stop that does not end early always takes two seconds, so it fails anyway.
    await eventually(async () => {
      const own = await replica();
      const opened = await Promise.all(Array.from({ length: 50 }, () => open(own)));
      const startedMs = performance.now();
      await own.close();
      const tookMs = performance.now() - startedMs;
      await eventually(() => expect(opened.filter(({ closed }) => closed?.[0] === 1012)).toHaveLength(50));
      expect(tookMs).toBeLessThan(2_000);
    });
  });

  it('reports the setting when the port is in use at the start', async () => {
    const port = new URL(stream.url).port;
    await expect(start(settings({ STREAM_PORT_NUMBER: port }))).rejects.toThrow(
      `STREAM_PORT_NUMBER ${port} on 127.0.0.1 is in use`,
    );
  });
});

describe('health', () => {
  it('reports ready and counts sent updates', async () => {
    const before = await metric('tollbridge_stream_updates_sent_total');
    const { client, id } = await following();
    engine.update(id, 2);
    await eventually(() => expect(client.versions).toEqual([1, 2]));
    expect(await metric('tollbridge_stream_updates_sent_total')).toBe(before + 2);
    expect(await stream.health()).toEqual({ status: 'ok', checks: { bus: 'ok', streams: 'ok' } });
    expect(client.socket.readyState).toBe(WebSocket.OPEN);
  });
});
