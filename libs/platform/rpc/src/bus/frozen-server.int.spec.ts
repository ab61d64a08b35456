import { NodeTransport } from 'nats/lib/src/node_transport';
import { spawn } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { createConnection, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { BusClient } from './bus-client';
import { BusConnection, type BusOptions, type PermissionViolation } from './bus-connection';
import { mendedNatsVersion, NatsSockets } from './nats-transport';
import { developmentIdentity } from './service-identity';
import { closing } from '../testing/closing';
import { eventually, startTlsNats, TestAuthority, startRestrictedNats } from '../testing/servers';
import { openShop, shopApi } from '../testing/shop';

const { closeLater, closeAll } = closing();
afterEach(closeAll);

// A client detects a freeze after 300 ms, and ends each dial after 300 ms. A longer freeze causes several dials.
const times = { dialTimeoutMs: 300, pingIntervalMs: 100 };
const frozenMs = 1_500;
// The server closes unauthenticated connections after this time, including those that it accepted during the freeze.
const authTimeoutMs = 500;
// Prevents the server from closing unauthenticated connections during a test.
const noAuthTimeoutMs = 60_000;
const { ask } = shopApi('shop').operations;

/** The permissions are as in production: the answering app may publish to the caller's inbox for it. */
const users = `
  { user: shop, password: secret, permissions {
    publish: ["events.shop.>", "_INBOX.caller.shop.>"], subscribe: ["op.shop.>", "_INBOX.shop.>"] } }
  { user: shop-events, password: secret }
  { user: caller, password: secret }`;

interface FreezableServer {
  urlOf(user: string): string;
  port: number;
  options: Partial<BusOptions>;
  freeze(): void;
  thaw(): void;
}

async function plainServer(authTimeoutMs: number): Promise<FreezableServer> {
  const nats = closeLater(await startRestrictedNats(users, authTimeoutMs));
  const urlOf = (user: string): string => `nats://${user}:secret@${nats.host}`;
  return { ...nats, urlOf, port: Number(nats.host.split(':')[1]), options: times };
}

async function tlsServer(authTimeoutMs: number): Promise<FreezableServer> {
  const authority = new TestAuthority();
  closeLater({ close: () => authority.remove() });
  const nats = await startTlsNats(authority.caFile, authority.issue(), users, authTimeoutMs);
  closeLater({ close: () => nats.remove() });
  const tls = { caFile: authority.caFile, ...authority.issue({ commonName: 'shop' }) };
  const urlOf = (user: string): string => `tls://${user}:secret@localhost:${nats.port}`;
  return { ...nats, urlOf, options: { ...times, tls } };
}

/**
 * Counts all sockets that this process opens. The source is Node.js, so neither the library nor the product
 * can hide one.
 */
function openedSockets() {
  const opened = new Set<Socket>();
  const add = (message: unknown): void => void opened.add((message as { socket: Socket }).socket);
  subscribe('net.client.socket', add);
  closeLater({ close: () => void unsubscribe('net.client.socket', add) });
  return { open: () => [...opened].filter((socket) => !socket.destroyed).length };
}

describe.each([
  ['without TLS', plainServer],
  ['with TLS', tlsServer],
])('BusConnection to a server that freezes, %s', (_name, startServer) => {
  it('keeps one connection when the server continues, and answers every call', async () => {
    const server = await startServer(authTimeoutMs);
    const sockets = openedSockets();
    const violations: PermissionViolation[] = [];
    const shop = closeLater(
      await openShop(server.urlOf('shop'), 'shop', ({ text }) => ({ text }), {}, {}, server.options),
    );
    shop.bus.onViolation((violation) => violations.push(violation));
    const caller = closeLater(
      await BusConnection.open({ app: 'caller', url: server.urlOf('caller'), ...server.options }),
    );
    const client = closeLater(new BusClient(caller, developmentIdentity('gateway')));
    const consumer = closeLater(await shop.bus.openEvents('orders'));
    expect(sockets.open()).toBe(3);
    server.freeze();
    await eventually(() =>
      expect([shop.bus, caller, consumer].map(({ isConnected }) => isConnected)).toEqual([
        false,
        false,
        false,
      ]),
    );
    await sleep(frozenMs);
    server.thaw();
    await eventually(() =>
      expect([shop.bus, caller, consumer].map(({ isConnected }) => isConnected)).toEqual([true, true, true]),
    );
    await sleep(authTimeoutMs * 2);
    expect(sockets.open()).toBe(3);
    expect(Object.fromEntries(shop.bus.openSockets)).toEqual({ calls: 1, orders: 1 });
    const calls = Array.from({ length: 40 }, (_, index) => client.call(ask, { text: String(index) }));
    expect((await Promise.all(calls)).map(({ text }) => Number(text))).toEqual([...calls.keys()]);
    expect(violations).toEqual([]);
  });

  it('keeps one connection when the server is frozen during the first connection', async () => {
    const server = await startServer(noAuthTimeoutMs);
    const sockets = openedSockets();
    server.freeze();
    const waits: string[] = [];
    const opening = BusConnection.open({
      app: 'caller',
      url: server.urlOf('caller'),
      ...server.options,
      onStatus: (status) => waits.push(status),
    });
    await eventually(() => expect(waits).toEqual(['waiting', 'waiting']));
    server.thaw();
    const bus = closeLater(await opening);
    await sleep(authTimeoutMs);
    expect(sockets.open()).toBe(1);
    expect(Object.fromEntries(bus.openSockets)).toEqual({ calls: 1 });
  });

  it('closes every socket, regardless of the moment when a dial times out', async () => {
    const server = await startServer(noAuthTimeoutMs);
    const sockets = openedSockets();
    const outcomes = new Set<string>();
    for (let dialTimeoutMs = 1; dialTimeoutMs <= 40; dialTimeoutMs++) {
      const opening = BusConnection.open({
        app: 'caller',
        url: server.urlOf('caller'),
        ...server.options,
        dialTimeoutMs,
        firstConnectMs: 0,
      });
      outcomes.add(await opening.then((bus) => bus.close().then(() => 'connected')).catch(() => 'given up'));
    }
    expect(outcomes).toContain('given up');
    await eventually(() => expect(sockets.open()).toBe(0));
  });

  it('disconnects from a frozen server although written messages are still buffered', async () => {
    const server = await startServer(authTimeoutMs);
    const bus = closeLater(
      await BusConnection.open({ app: 'caller', url: server.urlOf('caller'), ...server.options }),
    );
    server.freeze();
    const megabyte = Buffer.alloc(1_000_000);
    for (let index = 0; index < 20; index++) bus.publish('events.caller.large', megabyte);
    await eventually(() => expect(bus.isConnected).toBe(false));
    server.thaw();
    await eventually(() => expect(bus.isConnected).toBe(true));
    expect(Object.fromEntries(bus.openSockets)).toEqual({ calls: 1 });
  });
});

describe('BusConnection to an address that drops packets', () => {
  it('closes a socket that is still connecting', async () => {
    const hole = closeLater(await openBlackHole());
    const sockets = openedSockets();
    const opening = BusConnection.open({
      app: 'caller',
      url: `nats://127.0.0.1:${hole.port}`,
      ...times,
      firstConnectMs: 0,
    });
    await expect(opening).rejects.toThrow('TIMEOUT');
    expect(sockets.open()).toBe(0);
  });
});

describe('NatsSockets', () => {
  it('removes destroyed sockets when another socket is added', () => {
    const sockets = new NatsSockets();
    for (let dial = 0; dial < 10; dial++) {
      const socket = new Socket();
      sockets.add(socket);
      socket.destroy();
    }
    expect(sockets['sockets'].size).toBe(1);
  });
});

describe('the patched nats library', () => {
  it('has the version that nats-transport.ts patches', () => {
    // After an upgrade, run the tests of this file without the patch. If they pass, remove the patch.
    expect(new NodeTransport().version).toBe(mendedNatsVersion);
  });
});

/** Opens a port with a full connection queue, so that the kernel drops further connections without an answer. */
async function openBlackHole() {
  const listener = `require('net').createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 }, function () {
    console.log(this.address().port) })`;
  const child = spawn(process.execPath, ['-e', listener], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const port = Number(line.toString());
  child.kill('SIGSTOP');
  const fillers = Array.from({ length: 4 }, () =>
    createConnection(port, '127.0.0.1').on('error', () => undefined),
  );
  // The first connections fill the queue.
  await sleep(200);
  return {
    port,
    close() {
      for (const filler of fillers) filler.destroy();
      child.kill('SIGKILL');
    },
  };
}
