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

// A stall is noticed after 300 ms and each dial is given up after 300 ms. A server that is away for longer sees
// several.
const times = { dialTimeoutMs: 300, pingIntervalMs: 100 };
const frozenMs = 1_500;
// The server closes an unauthenticated connection after this time: what it had accepted while frozen shows by then.
const authTimeoutMs = 500;
// A server without users never closes one.
const noAuthTimeoutMs = 60_000;
const { ask } = shopApi('shop').operations;

/** As in production: the app that answers may publish at the inbox that its caller has for it. */
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
 * All sockets that this process opens, as Node.js reports them: what the library or the product believes plays no part.
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
  it('keeps one connection when the server continues, and every call gets its answer', async () => {
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

  it('keeps one connection when the server was frozen at the first connection', async () => {
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

  it('leaves no socket, at whatever moment a dial is given up', async () => {
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

  it('leaves a frozen server although written messages have not left', async () => {
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

describe('BusConnection to an address that swallows packets', () => {
  it('leaves no socket that is still connecting', async () => {
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
  it('forgets destroyed sockets when another one is added', () => {
    const sockets = new NatsSockets();
    for (let dial = 0; dial < 10; dial++) {
      const socket = new Socket();
      sockets.add(socket);
      socket.destroy();
    }
    expect(sockets['sockets'].size).toBe(1);
  });
});

describe('the mended library', () => {
  it('reports the version that nats-transport.ts was written for', () => {
    // After an upgrade: run the tests of this file without the mend. What passes then needs no mend any more.
    expect(new NodeTransport().version).toBe(mendedNatsVersion);
  });
});

/** A port with a full queue of connections: the kernel drops further ones without an answer. */
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
  // As many as the queue holds connect at once.
  await sleep(200);
  return {
    port,
    close() {
      for (const filler of fillers) filler.destroy();
      child.kill('SIGKILL');
    },
  };
}
