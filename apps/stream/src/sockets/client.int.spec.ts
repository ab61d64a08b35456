import { eventually } from '@tollbridge/testing';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { WebSocket, WebSocketServer } from 'ws';
import { Client, maxWaitingBytes } from './client';

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
  const [near] = (await once(server, 'connection')) as [WebSocket];
  if (far.readyState !== WebSocket.OPEN) await once(far, 'open');
  const onSlowReader = jest.fn();
  const client = new Client(near, updates, { onSubscriptions: () => undefined, onSlowReader });
  return { client, near, far, onSlowReader };
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
    const state = Buffer.alloc(20_000, 'x');
    let most = 0;
    for (let sent = 0; sent < 5_000; sent++) {
      client.changed(state);
      most = Math.max(most, near.bufferedAmount);
      // Lets the system take what it has room for.
      if (sent % 10 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    expect(onSlowReader).toHaveBeenCalledTimes(1);
    expect(most).toBeGreaterThan(maxWaitingBytes);
    expect(most).toBeLessThan(maxWaitingBytes + 2 * state.length);
  });
});
