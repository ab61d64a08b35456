import { ServiceLogger } from '@tollbridge/bootstrap';
import { Metrics, type Logger } from '@tollbridge/observability';
import { eventually } from '@tollbridge/testing';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net';
import { WebSocket, WebSocketServer, type ClientOptions } from 'ws';
import { HttpAdapterHost } from '@nestjs/core';
import { readProxies } from '../client-address/client-address';
import { GracefulStop } from '../http/graceful-stop';
import { RawConnection } from '../testing/raw-connection';
import { failureIds, GatewayHarness, samplePublicUrl } from '../testing/gateway-harness';
import { StreamController } from './stream.controller';
import { StreamProxy, type StreamProxyOptions } from './stream-proxy';
import { streamRoutes } from './stream.routes';

const path = '/v1/transaction/stream';
const portOf = (server: { address(): unknown }): number => (server.address() as AddressInfo).port;

let harness: GatewayHarness;
let port: number;
/** A fake of the stream service. */
let stream: WebSocketServer;
let asked: IncomingMessage[];
const clients: WebSocket[] = [];
const others: { close(): unknown }[] = [];

async function listen(options: Partial<StreamProxyOptions> = {}, trustedProxies = ''): Promise<void> {
  const proxy = {
    provide: StreamProxy,
    useFactory: (host: HttpAdapterHost, stopping: GracefulStop, logger: Logger, metrics: Metrics) =>
      new StreamProxy(host, {
        urls: [`http://127.0.0.1:${portOf(stream)}`],
        maxSockets: 100,
        proxies: readProxies(trustedProxies)!,
        publicUrl: samplePublicUrl,
        stopping,
        logger,
        metrics,
        ...options,
      }),
    inject: [HttpAdapterHost, GracefulStop, ServiceLogger, Metrics],
  };
  harness = await GatewayHarness.open({
    controllers: [StreamController],
    providers: [proxy],
    routes: streamRoutes,
    // All modules share this list, because the address of a direct client is cached for its connection.
    config: { GATEWAY_TRUSTED_PROXIES: trustedProxies },
  });
  port = await harness.listen();
}

interface Opened {
  socket: WebSocket;
  near: WebSocket;
  closed: [number, string] | undefined;
}

/** A client, and the other end of its socket in the stream service. */
async function open(options: ClientOptions = {}): Promise<Opened> {
  const taken = once(stream, 'connection') as Promise<[WebSocket]>;
  const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, options);
  clients.push(socket);
  await once(socket, 'open');
  const [near] = await taken;
  const opened: Opened = { socket, near, closed: undefined };
  socket.on('close', (code, reason) => (opened.closed = [code, reason.toString()]));
  socket.on('error', () => undefined);
  near.on('error', () => undefined);
  return opened;
}

const handshake = (...changed: string[]): string[] => {
  const lines = [
    'host: gateway',
    'connection: Upgrade',
    'upgrade: websocket',
    'sec-websocket-version: 13',
    'sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==',
  ];
  const names = changed.map((line) => line.split(':', 1)[0]);
  const unchanged = lines.filter((line) => !names.includes(line.split(':', 1)[0]));
  return [...unchanged, ...changed.filter((line) => !line.endsWith(':')), '', ''];
};

async function say(...lines: string[]): Promise<RawConnection> {
  const connection = (await RawConnection.open(port)).send(...lines);
  await eventually(() => expect(connection.received).toMatch(/\r\n\r\n/));
  return connection;
}

const bodyOf = (reply: string): any => JSON.parse(reply.slice(reply.indexOf('\r\n\r\n') + 4));
const openSockets = async (): Promise<number> =>
  (await harness.metrics.registry.getSingleMetric('tollbridge_gateway_stream_sockets')!.get()).values[0]!
    .value;

/** Starts another server instead of the stream service. */
async function instead(server: Server | ReturnType<typeof createTcpServer>): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  others.push(server);
  return `http://127.0.0.1:${portOf(server)}`;
}

beforeEach(async () => {
  stream = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: true });
  asked = [];
  stream.on('connection', (_socket, request) => asked.push(request));
  await once(stream, 'listening');
});

afterEach(async () => {
  for (const client of clients.splice(0)) client.terminate();
  for (const socket of stream.clients) socket.terminate();
  stream.close();
  for (const other of others.splice(0)) other.close();
  harness.server.server.closeAllConnections();
  await harness.close();
});

describe('a handshake', () => {
  it('reaches the stream service without headers that the client could forge', async () => {
    await listen();
    const headers = {
      'x-request-id': 'my-request-1',
      'x-forwarded-for': '10.0.0.1',
      authorization: 'Bearer secret',
      cookie: 'a=b',
      'tb-principal': 'merchant:1',
    };
    const { socket } = await open({ headers, origin: 'https://anywhere.example' });
    expect(socket.extensions).toBe('');
    const { url, headers: given } = asked[0]!;
    const { 'sec-websocket-key': key, host, traceparent, ...rest } = given;
    expect(url).toBe(path);
    expect([key, host, traceparent]).toEqual([
      expect.any(String),
      expect.any(String),
      expect.stringMatching(/^00-/),
    ]);
    expect(rest).toEqual({
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'x-request-id': 'my-request-1',
      'x-forwarded-for': '127.0.0.1',
    });
  });

  it('gets a reply with the request id', async () => {
    await listen();
    const connection = await say(`GET ${path} HTTP/1.1`, ...handshake('x-request-id: my-request-2'));
    expect(connection.received).toMatch(/^HTTP\/1\.1 101 Switching Protocols\r\n/);
    expect(connection.received).toContain('\r\nx-request-id: my-request-2\r\n');
    expect(connection.received).toContain('\r\nsec-websocket-accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n');
    connection.abort();
  });

  it('reads the client address from a trusted proxy', async () => {
    await listen({}, '127.0.0.1');
    await open({ headers: { 'x-forwarded-for': '6.6.6.6, 203.0.113.7' } });
    expect(asked[0]!.headers['x-forwarded-for']).toBe('203.0.113.7');
  });

  it('uses several stream services in turn', async () => {
    const second = new WebSocketServer({ port: 0, host: '127.0.0.1' });
    others.push(second);
    await once(second, 'listening');
    await listen({ urls: [stream, second].map((server) => `http://127.0.0.1:${portOf(server)}`) });
    for (let count = 0; count < 4; count++) {
      const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`);
      clients.push(socket);
      await once(socket, 'open');
    }
    expect([stream.clients.size, second.clients.size]).toEqual([2, 2]);
    for (const socket of second.clients) socket.terminate();
  });

  it.each([
    ['POST', path, handshake(), 405],
    ['GET', `${path}/more`, handshake(), 404],
    ['GET', '/samples', handshake(), 200],
    [
      'GET',
      '/samples',
      handshake('upgrade: h2c', 'connection: Upgrade, HTTP2-Settings', 'http2-settings: AAMAAABk'),
      200,
    ],
    ['GET', path, handshake('upgrade: h2c'), 426],
    ['GET', path, handshake('upgrade:'), 426],
    ['GET', path, ['host: gateway', '', ''], 426],
  ])(
    'counts as an ordinary request on another path or with another protocol: %s %s',
    async (method, where, lines, status) => {
      await listen();
      const connection = await say(`${method} ${where} HTTP/1.1`, ...lines);
      expect(connection.received).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
      expect(asked).toEqual([]);
      if (status !== 426) return connection.abort();
      expect(connection.received).toMatch(/\r\nupgrade: websocket\r\n/i);
      const error = { code: 'UPGRADE_REQUIRED', message: expect.stringContaining('ws://') };
      expect(bodyOf(connection.received)).toMatchObject({ success: false, data: null, error });
      connection.abort();
    },
  );

  it('leaves the connection open for another protocol, and its body is read', async () => {
    await listen();
    const connection = await RawConnection.open(port);
    const post = [
      'POST /v1/samples HTTP/1.1',
      'host: x',
      'content-type: application/json',
      'content-length: 12',
    ];
    const body = '{"name":"x"}';
    for (let count = 1; count <= 2; count++) {
      connection.send(...post, 'connection: Upgrade', 'upgrade: h2c', '', body);
      await eventually(() => expect(connection.received.match(/HTTP\/1\.1 200 /g)).toHaveLength(count));
    }
    expect(harness.calls.map(({ json }) => json)).toEqual([body, body]);
    connection.abort();
  });

  it('gets the code and message of a rejection by the stream service', async () => {
    const error = { code: 'RATE_LIMIT_EXCEEDED', message: 'Your address has 5 open sockets.' };
    const body = JSON.stringify({ success: false, data: null, error, retryAfter: 30 });
    const head = `HTTP/1.1 429 Too Many Requests\r\nset-cookie: a=b\r\nretry-after: 30\r\ncontent-length: ${body.length}`;
    const rejecting = createServer().on('upgrade', (_request, socket) =>
      socket.end(`${head}\r\n\r\n${body}`),
    );
    await listen({ urls: [await instead(rejecting)] });
    const connection = await say(`GET ${path} HTTP/1.1`, ...handshake());
    await eventually(() => expect(connection.isClosed).toBe(true));
    expect(connection.received).toMatch(/^HTTP\/1\.1 429 Too Many Requests\r\n/);
    expect(connection.received).toContain('\r\nretry-after: 30\r\n');
    expect(connection.received).toContain('\r\nx-content-type-options: nosniff\r\n');
    expect(connection.received).not.toContain('cookie');
    expect(bodyOf(connection.received)).toMatchObject({
      error: { ...error, details: {}, ...failureIds('RATE_LIMIT_EXCEEDED') },
      retryAfter: 30,
    });
  });

  it.each([
    ['is unavailable', async () => 'http://127.0.0.1:1'],
    ['does not answer', () => instead(createTcpServer())],
    ['closes the connection', () => instead(createTcpServer((socket) => socket.destroy()))],
    [
      'sends an endless reply',
      () => instead(createServer((_request, response) => response.end('x'.repeat(100_000)))),
    ],
  ])('gets 503 when the stream service %s', async (_name, where) => {
    await listen({ urls: [await where()], handshakeTimeoutMs: 300 });
    const connection = await say(`GET ${path} HTTP/1.1`, ...handshake());
    expect(connection.received).toMatch(/^HTTP\/1\.1 503 Service Unavailable\r\n/);
    expect(connection.received).toContain('\r\nretry-after: 5\r\n');
    expect(bodyOf(connection.received)).toMatchObject({
      error: { code: 'SERVICE_UNAVAILABLE' },
      retryAfter: 5,
    });
    await eventually(async () => expect(await openSockets()).toBe(0));
  });

  it('gets 503 above the maximum number of sockets until one closes', async () => {
    await listen({ maxSockets: 1 });
    const { socket } = await open();
    const rejected = await say(`GET ${path} HTTP/1.1`, ...handshake());
    expect(rejected.received).toMatch(/^HTTP\/1\.1 503 /);
    socket.terminate();
    await eventually(async () => expect(await openSockets()).toBe(0));
    await open();
  });

  it('ends when its client disconnects', async () => {
    const ended: boolean[] = [];
    const silent = createTcpServer((socket) => {
      ended.push(false);
      socket.on('close', () => (ended[0] = true)).on('error', () => undefined);
      socket.resume();
    });
    // The time-out of a handshake would end it as well, but only after this test.
    await listen({ urls: [await instead(silent)], handshakeTimeoutMs: 120_000 });
    const connection = (await RawConnection.open(port)).send(`GET ${path} HTTP/1.1`, ...handshake());
    await eventually(() => expect(ended).toEqual([false]));
    connection.abort();
    await eventually(() => expect(ended).toEqual([true]));
    await eventually(async () => expect(await openSockets()).toBe(0));
  });
});

describe('a stream socket', () => {
  it('carries the messages of both sides, including messages sent with the handshake', async () => {
    await listen();
    stream.on('connection', (near) => {
      near.send('first');
      near.on('message', (data) => near.send(`echo ${data}`));
    });
    const received: string[] = [];
    const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`);
    clients.push(socket);
    socket.on('message', (data) => received.push(String(data)));
    socket.on('open', () => socket.send('hello'));
    const large = 'y'.repeat(300_000);
    await eventually(() => expect(received).toEqual(['first', 'echo hello']));
    socket.send(large);
    await eventually(() => expect(received.at(-1)).toBe(`echo ${large}`));
  });

  it('forwards the close frames of both sides', async () => {
    await listen();
    const [one, other] = [await open(), await open()];
    one.near.close(1013, 'slow');
    await eventually(() => expect(one.closed).toEqual([1013, 'slow']));
    const near = once(other.near, 'close');
    other.socket.close(1000, 'enough');
    const [code, reason] = await near;
    expect([code, String(reason)]).toEqual([1000, 'enough']);
    await eventually(async () => expect(await openSockets()).toBe(0));
  });

  it('closes at the stream service when its client disconnects', async () => {
    await listen();
    const { socket, near } = await open();
    socket.terminate();
    await once(near, 'close');
  });

  it('gets a close frame 1012 when the stream service dies', async () => {
    await listen();
    const opened = await open();
    opened.near.send('last');
    opened.near.terminate();
    await eventually(() => expect(opened.closed).toEqual([1012, 'the service restarts']));
  });

  it('applies backpressure to the stream service', async () => {
    await listen();
    const { socket, near } = await open();
    socket.pause();
    const bytes = Buffer.alloc(64 * 1024);
    for (let sent = 0; sent < 640; sent++) near.send(bytes);
    await new Promise((resolve) => setTimeout(resolve, 300));
    // The rest of the 40 MB waits behind the limit. The missing part is in buffers of the system.
    expect(near.bufferedAmount).toBeGreaterThan(10 * 1024 * 1024);
  });

  it('causes one log line, without its messages', async () => {
    await listen();
    const { socket } = await open({ headers: { 'x-request-id': 'my-request-3' } });
    socket.close();
    const line = { route: path, status: 101, requestId: 'my-request-3', ms: expect.any(Number) };
    await eventually(() => expect(harness.logged).toEqual([expect.objectContaining(line)]));
  });
});

describe('a graceful stop', () => {
  const stop = (): Promise<void> => harness.close();

  it('sends a close frame to every client, and waits for their close frames', async () => {
    // Retries on a busy machine. A stop that ignores their close frames always takes two seconds, so it fails anyway.
    await eventually(async () => {
      await listen();
      const opened = [await open(), await open()];
      const startedMs = performance.now();
      await stop();
      const tookMs = performance.now() - startedMs;
      await eventually(() =>
        expect(opened.map(({ closed }) => closed)).toEqual(opened.map(() => [1012, 'the service restarts'])),
      );
      expect(tookMs).toBeLessThan(2_000);
    });
  });

  it('does not split a message', async () => {
    await listen();
    const opened = await open();
    const received: number[] = [];
    opened.socket.on('message', (data) => received.push((data as Buffer).length));
    // A frame that has arrived in part.
    const near = (opened.near as unknown as { _socket: Socket })._socket;
    near.write(Buffer.concat([Buffer.from([0x81, 126, 0x03, 0xe8]), Buffer.alloc(400, 'x')]));
    await new Promise((resolve) => setTimeout(resolve, 100));
    const stopped = stop();
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(opened.closed).toBeUndefined();
    near.write(Buffer.concat([Buffer.alloc(600, 'x'), Buffer.from([0x81, 1, 0x78])]));
    await stopped;
    await eventually(() => expect(opened.closed).toEqual([1012, 'the service restarts']));
    expect(received).toEqual([1_000]);
  });

  it('does not wait for a silent client', async () => {
    await listen();
    const { socket } = await open();
    socket.pause();
    const startedMs = performance.now();
    await stop();
    // The stop waits two seconds for the client. The limit of open work is 75 seconds.
    expect(performance.now() - startedMs).toBeLessThan(10_000);
  });

  it('waits for a handshake in progress, then closes it', async () => {
    let greet: (() => void) | undefined;
    const slow = createServer().on('upgrade', (request, socket, head) => {
      greet = () => stream.handleUpgrade(request, socket, head, () => undefined);
    });
    await listen({ urls: [await instead(slow)] });
    const connection = (await RawConnection.open(port)).send(`GET ${path} HTTP/1.1`, ...handshake());
    await eventually(() => expect(greet).toBeDefined());
    const stopped = stop();
    await new Promise((resolve) => setTimeout(resolve, 700));
    greet!();
    await stopped;
    await eventually(() => expect(connection.received).toMatch(/^HTTP\/1\.1 101 .*the service restarts$/s));
  });
});
