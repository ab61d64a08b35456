import { WebSocket, WebSocketServer, type WebSocket as Socket } from 'ws';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { createClient, followTransaction, type Client, type WebSocketLike } from '.';

let server: WebSocketServer;
let client: Client;
let received: string[] = [];
type Behaviour = (socket: Socket, subscription: Record<string, unknown>) => void;
/** Behaviour of each connection. The last one also applies to all later connections. */
let behaviours: Behaviour[] = [];

beforeAll(async () => {
  server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
  server.on('connection', (socket, request) => {
    const behave = behaviours.length > 1 ? behaviours.shift()! : behaviours[0]!;
    socket.once('message', (data: Buffer) => {
      received.push(`${request.url} ${data.toString()}`);
      behave(socket, JSON.parse(data.toString()) as Record<string, unknown>);
    });
  });
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  client = createClient({ baseUrl, WebSocket: WebSocket as unknown as WebSocketLike });
});
afterAll(() => {
  for (const socket of server.clients) socket.terminate();
  server.close();
});
beforeEach(() => {
  received = [];
  const real = setTimeout;
  jest
    .spyOn(globalThis, 'setTimeout')
    .mockImplementation(((run: () => void, ms = 0) =>
      real(run, ms < 20_000 && ms > 100 ? 1 : ms)) as typeof setTimeout);
});
afterEach(() => jest.restoreAllMocks());

const send = (socket: Socket, message: object): void => socket.send(JSON.stringify(message));
const update = (version: number, status: string) => ({
  type: 'transaction_update',
  data: { version, status },
});
const updates =
  (...states: [number, string][]): Behaviour =>
  (socket) => {
    send(socket, { type: 'subscribed', transactionId: 't' });
    for (const [version, status] of states) send(socket, update(version, status));
  };
const closing =
  (behave: Behaviour, code = 1012): Behaviour =>
  (socket, subscription) => {
    behave(socket, subscription);
    socket.close(code);
  };
const statuses = async (options?: Parameters<typeof followTransaction>[2]): Promise<string[]> => {
  const found: string[] = [];
  for await (const { status } of followTransaction(client, { transactionId: 't' }, options))
    found.push(status);
  return found;
};

describe('followTransaction', () => {
  it('subscribes and returns the states up to the final state', async () => {
    behaviours = [updates([1, 'pending'], [2, 'processing'], [3, 'completed'], [4, 'never'])];
    expect(await statuses()).toEqual(['pending', 'processing', 'completed']);
    expect(received).toEqual(['/v1/transaction/stream {"action":"subscribe","transactionId":"t"}']);
  });

  it('subscribes again after a lost connection, and skips known states', async () => {
    behaviours = [
      closing(updates([1, 'pending'], [2, 'processing'])),
      (socket) => socket.terminate(),
      updates([2, 'processing'], [1, 'pending'], [3, 'failed']),
    ];
    expect(await statuses()).toEqual(['pending', 'processing', 'failed']);
    expect(received).toHaveLength(3);
  });

  it.each([
    ['NOT_FOUND', 404],
    ['VALIDATION_ERROR', 400],
  ])('throws %s', async (code, status) => {
    behaviours = [(socket) => send(socket, { type: 'error', error: { code, message: 'Unknown.' } })];
    await expect(statuses()).rejects.toMatchObject({
      code,
      status,
      message: 'Unknown.',
      operation: 'followTransaction',
    });
    expect(received).toHaveLength(1);
  });

  it('reconnects when the service is unavailable', async () => {
    const busy: Behaviour = (socket) =>
      send(socket, { type: 'error', error: { code: 'SERVICE_UNAVAILABLE', message: 'Later.' } });
    behaviours = [busy, updates([1, 'completed'])];
    expect(await statuses()).toEqual(['completed']);
  });

  it('throws after too many failures in a row', async () => {
    behaviours = [(socket) => socket.terminate()];
    await expect(statuses({ retries: 2 })).rejects.toMatchObject({ code: 'NETWORK_ERROR' });
    expect(received).toHaveLength(3);
  });

  it('closes the socket when the loop is left', async () => {
    let closed: () => void = () => undefined;
    const isClosed = new Promise<void>((resolve) => (closed = resolve));
    behaviours = [
      (socket, subscription) => {
        socket.once('close', closed);
        updates([1, 'pending'])(socket, subscription);
      },
    ];
    for await (const { status } of followTransaction(client, { transactionId: 't' })) {
      expect(status).toBe('pending');
      break;
    }
    await isClosed;
  });

  it('ends with ABORTED when its signal is aborted', async () => {
    behaviours = [updates([1, 'pending'])];
    const controller = new AbortController();
    const states = followTransaction(client, { transactionId: 't' }, { signal: controller.signal });
    await states.next();
    const next = states.next();
    controller.abort();
    await expect(next).rejects.toMatchObject({ code: 'ABORTED' });
    const later = followTransaction(client, { transactionId: 't' }, { signal: controller.signal });
    await expect(later.next()).rejects.toMatchObject({ code: 'ABORTED' });
  });

  it('reports how to provide a WebSocket if the runtime has none', async () => {
    const { WebSocket: own } = globalThis as { WebSocket?: unknown };
    try {
      (globalThis as { WebSocket?: unknown }).WebSocket = undefined;
      const alone = createClient({ baseUrl: client.baseUrl });
      await expect(followTransaction(alone, { transactionId: 't' }).next()).rejects.toMatchObject({
        code: 'INVALID_ARGUMENT',
      });
    } finally {
      (globalThis as { WebSocket?: unknown }).WebSocket = own;
    }
  });
});
