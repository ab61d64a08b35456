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

const updates = { follow: () => undefined, unfollow: () => undefined };

/** Both ends of a real socket. */
async function connected(autoPong = true) {
  const { port } = server.address() as AddressInfo;
  const far = new WebSocket(`ws://127.0.0.1:${port}`, { autoPong });
  const [near, { socket: connection }] = (await once(server, 'connection')) as [WebSocket, IncomingMessage];
  if (far.readyState !== WebSocket.OPEN) await once(far, 'open');
  const onSlowReader = jest.fn();
  const client = new Client(near, connection, updates, { onSubscriptions: () => undefined, onSlowReader });
  return { client, near, connection, far, onSlowReader };
}

describe('a client that is looked after', () => {
  it('stays while it answers', async () => {
    const { client, far } = await connected(true);
    for (let beat = 0; beat < 3; beat++) {
      client.lookAfter();
      expect(client.isAlive).toBe(false);
      await eventually(() => expect(client.isAlive).toBe(true));
    }
    expect(far.readyState).toBe(WebSocket.OPEN);
  });

  it('is ended when it has not answered until the next look', async () => {
    const { client, far } = await connected(false);
    let pings = 0;
    far.on('ping', () => pings++);
    client.lookAfter();
    await eventually(() => expect(pings).toBe(1));
    expect(far.readyState).toBe(WebSocket.OPEN);
    client.lookAfter();
    await eventually(() => expect(far.readyState).toBe(WebSocket.CLOSED));
  });
});

describe('a client that does not read', () => {
  it('has a bounded number of bytes waiting, however much it would be sent', async () => {
    const { client, near, far, onSlowReader } = await connected();
    far.pause();
    const state = textFrame('x'.repeat(20_000));
    let most = 0;
    for (let sent = 0; sent < 5_000; sent++) {
      client.changed(state);
      most = Math.max(most, near.bufferedAmount);
      // Lets the system take what it has room for.
      if (sent % 10 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    expect(onSlowReader).toHaveBeenCalledTimes(1);
    expect(near.readyState).not.toBe(WebSocket.OPEN);
    expect(most).toBeGreaterThan(maxWaitingBytes);
    expect(most).toBeLessThan(maxWaitingBytes + 2 * state.length);
  });
});

/** Everything that a client receives from here on, as text; binary messages would be objects. */
function heardBy(far: WebSocket): unknown[] {
  const heard: unknown[] = [];
  far.on('message', (data: Buffer, isBinary) => heard.push(isBinary ? data : data.toString()));
  return heard;
}

describe('frames that are shared by many sockets', () => {
  // On both sides of each length at which a header has another size; and more bytes than characters.
  const texts = [0, 1, 125, 126, 127, 65_535, 65_536, 100_000].map((length) => 'x'.repeat(length));
  texts.push('é€😀'.repeat(50));

  it('are what ws itself would have sent, in the order of the calls', async () => {
    const { client, near, far } = await connected();
    const heard = heardBy(far);
    const expected: string[] = [];
    for (const text of texts) {
      client.changed(textFrame(text));
      near.send(`by ws after ${text.length}`);
      near.ping();
      client.began('id', textFrame('began'));
      const began = JSON.stringify({ type: 'subscribed', transactionId: 'id' });
      expected.push(text, `by ws after ${text.length}`, began, 'began');
      await new Promise((resolve) => setImmediate(resolve));
    }
    await eventually(() => expect(heard).toHaveLength(expected.length));
    expect(heard).toEqual(expected);
    expect(far.readyState).toBe(WebSocket.OPEN);
  });

  it('are the same bytes for everyone and stay as they were made', async () => {
    const all = [await connected(), await connected(), await connected()];
    const heard = all.map(({ far }) => heardBy(far));
    const frame = textFrame('for all');
    const made = Buffer.from(frame);
    for (const { client } of all) client.changed(frame);
    await eventually(() => expect(heard).toEqual([['for all'], ['for all'], ['for all']]));
    expect(frame.equals(made)).toBe(true);
  });

  it.each<[string, (parts: Awaited<ReturnType<typeof connected>>) => void]>([
    ['is being closed', ({ client }) => client.close(1000, 'enough')],
    ['was ended', ({ client }) => client.terminate()],
    ['lost its connection', ({ connection }) => connection.destroy()],
  ])('are not written to a socket that %s', async (_case, end) => {
    const { client, connection, far } = await connected();
    const heard = heardBy(far);
    const write = jest.spyOn(connection, 'write');
    end({ client, connection } as never);
    const before = write.mock.calls.length;
    client.changed(textFrame('too late'));
    client.began('id', textFrame('too late'));
    await eventually(() => expect(far.readyState).toBe(WebSocket.CLOSED));
    expect(write.mock.calls.slice(before).filter(([bytes]) => String(bytes).includes('too late'))).toEqual(
      [],
    );
    expect(heard).toEqual([]);
  });
});
