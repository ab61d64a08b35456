import { eventually } from '@tollbridge/testing';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocket, WebSocketServer } from 'ws';
import { Client, maxWaitingBytes } from './client';
import { textFrame } from './text-frame';

let server: WebSocketServer;
beforeEach(async () => {
  server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
});
afterEach(() => {
  for (const socket of server.clients) socket.terminate();
  server.close();
});

const updates = { subscribe: () => undefined, unsubscribe: () => undefined };

/** Opens a socket, and returns both ends. */
async function connected(autoPong = true) {
  const { port } = server.address() as AddressInfo;
  const far = new WebSocket(`ws://127.0.0.1:${port}`, { autoPong });
  const [near, { socket: connection }] = (await once(server, 'connection')) as [WebSocket, IncomingMessage];
  if (far.readyState !== WebSocket.OPEN) await once(far, 'open');
  const onSlowReader = jest.fn();
  const client = new Client(near, connection, updates, { onSubscriptions: () => undefined, onSlowReader });
  return { client, near, connection, far, onSlowReader };
}

describe('Client heartbeat', () => {
  it('does not close a client that answers pings', async () => {
    const { client, far } = await connected(true);
    for (let beat = 0; beat < 3; beat++) {
      client.checkAlive();
      expect(client.isAlive).toBe(false);
      await eventually(() => expect(client.isAlive).toBe(true));
    }
    expect(far.readyState).toBe(WebSocket.OPEN);
  });

  it('terminates a client that has not answered the last ping', async () => {
    const { client, far } = await connected(false);
    let pings = 0;
    far.on('ping', () => pings++);
    client.checkAlive();
    await eventually(() => expect(pings).toBe(1));
    expect(far.readyState).toBe(WebSocket.OPEN);
    client.checkAlive();
    await eventually(() => expect(far.readyState).toBe(WebSocket.CLOSED));
  });
});

describe('Client backpressure', () => {
  it('limits the unsent bytes of a client that does not read', async () => {
    const { client, near, far, onSlowReader } = await connected();
    far.pause();
    const state = textFrame('x'.repeat(20_000));
    let most = 0;
    for (let sent = 0; sent < 5_000; sent++) {
      client.onUpdate(state);
      most = Math.max(most, near.bufferedAmount);
      // Lets the operating system fill its socket buffers.
      if (sent % 10 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    expect(onSlowReader).toHaveBeenCalledTimes(1);
    expect(near.readyState).not.toBe(WebSocket.OPEN);
    expect(most).toBeGreaterThan(maxWaitingBytes);
    expect(most).toBeLessThan(maxWaitingBytes + 2 * state.length);
  });
});

/** Records everything that a client receives from here on, as text. Binary messages would be objects. */
function recordMessages(far: WebSocket): unknown[] {
  const received: unknown[] = [];
  far.on('message', (data: Buffer, isBinary) => received.push(isBinary ? data : data.toString()));
  return received;
}

describe('shared frames', () => {
  // The header changes its size at these lengths, so both sides of each are tested. The last text has more bytes than
  // characters.
  const texts = [0, 1, 125, 126, 127, 65_535, 65_536, 100_000].map((length) => 'x'.repeat(length));
  texts.push('é€😀'.repeat(50));

  it('equal the frames of ws, in the order of the calls', async () => {
    const { client, near, far } = await connected();
    const received = recordMessages(far);
    const expected: string[] = [];
    for (const text of texts) {
      client.onUpdate(textFrame(text));
      near.send(`by ws after ${text.length}`);
      near.ping();
      client.onSubscribed('id', textFrame('began'));
      const began = JSON.stringify({ type: 'subscribed', transactionId: 'id' });
      expected.push(text, `by ws after ${text.length}`, began, 'began');
      await new Promise((resolve) => setImmediate(resolve));
    }
    await eventually(() => expect(received).toHaveLength(expected.length));
    expect(received).toEqual(expected);
    expect(far.readyState).toBe(WebSocket.OPEN);
  });

  it('carry the same unchanged bytes to all sockets', async () => {
    const all = [await connected(), await connected(), await connected()];
    const received = all.map(({ far }) => recordMessages(far));
    const frame = textFrame('for all');
    const made = Buffer.from(frame);
    for (const { client } of all) client.onUpdate(frame);
    await eventually(() => expect(received).toEqual([['for all'], ['for all'], ['for all']]));
    expect(frame.equals(made)).toBe(true);
  });

  it.each<[string, (parts: Awaited<ReturnType<typeof connected>>) => void]>([
    ['is being closed', ({ client }) => client.close(1000, 'enough')],
    ['was ended', ({ client }) => client.terminate()],
    ['lost its connection', ({ connection }) => connection.destroy()],
  ])('skip a socket that %s', async (_case, end) => {
    const { client, connection, far } = await connected();
    const received = recordMessages(far);
    const write = jest.spyOn(connection, 'write');
    end({ client, connection } as never);
    const before = write.mock.calls.length;
    client.onUpdate(textFrame('too late'));
    client.onSubscribed('id', textFrame('too late'));
    await eventually(() => expect(far.readyState).toBe(WebSocket.CLOSED));
    expect(write.mock.calls.slice(before).filter(([bytes]) => String(bytes).includes('too late'))).toEqual(
      [],
    );
    expect(received).toEqual([]);
  });
});
