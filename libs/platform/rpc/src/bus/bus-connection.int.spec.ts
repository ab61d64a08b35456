import { ErrorCode } from 'nats';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { BusConnection, type BusOptions } from './bus-connection';
import { LastingSubscription } from './lasting-subscription';
import { closing } from '../testing/closing';
import {
  eventually,
  freePort,
  openTcpLink,
  startNats,
  startRestrictedNats,
  type RestrictedNats,
} from '../testing/servers';
import { randomApp, sharedNatsUrl } from '../testing/shop';

const url = sharedNatsUrl();
const { closeLater, closeAll } = closing();

afterEach(closeAll);

const open = async (options: BusOptions) => closeLater(await BusConnection.open(options));
const overLink = (link: { url: string }) => link.url.replace('http', 'nats');

describe('BusConnection', () => {
  it('reports when its server is unreachable', async () => {
    const link = closeLater(await openTcpLink(url));
    const statuses: string[] = [];
    const bus = await open({
      app: randomApp(),
      url: overLink(link),
      onStatus: (status) => statuses.push(status),
    });
    expect(bus.isConnected).toBe(true);
    await link.cut();
    await eventually(() => expect(bus.isConnected).toBe(false));
    await link.mend();
    await eventually(() => expect(bus.isConnected).toBe(true));
    expect(statuses).toEqual(expect.arrayContaining(['disconnect', 'reconnecting', 'reconnect']));
    await bus.close();
    expect(bus.isConnected).toBe(false);
  });

  it('calls onInterruption after a reconnect, and receives messages that are published after the next flush', async () => {
    const link = closeLater(await openTcpLink(url));
    const [bus, other] = [
      await open({ app: randomApp(), url: overLink(link) }),
      await open({ app: randomApp(), url }),
    ];
    const subject = `events.${randomApp()}`;
    const received: string[] = [];
    let timesBack = 0;
    const end = bus.onInterruption(() => {
      if (!bus.isConnected) return;
      timesBack += 1;
      void bus.nats.flush().then(() => other.publish(subject, Buffer.from('now')));
    });
    bus.nats.subscribe(subject, { callback: (_error, message) => received.push(message.string()) });
    await bus.nats.flush();
    await link.cut();
    await eventually(() => expect(bus.isConnected).toBe(false));
    await link.mend();
    await eventually(() => expect(received).toEqual(['now']));
    end();
    await link.cut();
    await eventually(() => expect(bus.isConnected).toBe(false));
    await link.mend();
    await eventually(() => expect(bus.isConnected).toBe(true));
    expect(timesBack).toBe(1);
  });

  it('reports a message that is published while the connection is drained, and throws nothing later', async () => {
    const statuses: string[] = [];
    const bus = await open({ app: randomApp(), url, onStatus: (status) => statuses.push(status) });
    const drained = bus.nats.drain();
    while (!bus.nats.isClosed()) {
      bus.publish(`events.${randomApp()}`, Buffer.from('late'));
      await new Promise((resolve) => setImmediate(resolve));
    }
    await drained;
    expect(statuses).toContain('unsent');
    expect(() => bus.publish('events.late', Buffer.from('late'))).toThrow('CONNECTION_CLOSED');
  });

  it('closes immediately while its server is unreachable', async () => {
    const link = closeLater(await openTcpLink(url));
    const bus = await open({ app: randomApp(), url: overLink(link) });
    await link.cut();
    await eventually(() => expect(bus.isConnected).toBe(false));
    const drain = jest.spyOn(bus.nats, 'drain');
    await bus.close();
    // A drain would wait for its time-out.
    expect(drain).not.toHaveBeenCalled();
    expect(bus.nats.isClosed()).toBe(true);
    await bus.closed;
  });

  it('closes when its server becomes unreachable during the close', async () => {
    const link = closeLater(await openTcpLink(url));
    const bus = await open({ app: randomApp(), url: overLink(link) });
    bus.nats.subscribe('anything');
    // The drain begins while the connection still looks alive.
    const closing = bus.close();
    await Promise.all([closing, link.cut()]);
    expect(bus.nats.isClosed()).toBe(true);
  });

  it('sends all published messages before it closes', async () => {
    const subject = `op.${randomApp()}`;
    const reader = await open({ app: randomApp(), url });
    const writer = await open({ app: randomApp(), url });
    const received: string[] = [];
    reader.nats.subscribe(subject, { callback: (_error, message) => received.push(message.string()) });
    await reader.nats.flush();
    const sent = Array.from({ length: 200 }, (_, index) => String(index));
    for (const text of sent) writer.publish(subject, Buffer.from(text));
    await writer.close();
    await eventually(() => expect(received).toEqual(sent));
  });
});

describe('LastingSubscription', () => {
  const subject = 'events.shop.sold';
  const users = (more = ''): string => `
    { user: shop, password: pass, permissions { subscribe: "_INBOX.shop.>" } }
    { user: till, password: pass${more} }`;
  const rejecting = users(', permissions { subscribe: "_INBOX.till.>" }');

  async function openRejected(resubscribeMs?: number) {
    const server = closeLater(await startRestrictedNats(rejecting));
    const at = (app: string): BusOptions => ({ app, url: `nats://${app}:pass@${server.host}` });
    const shop = await open(at('shop'));
    const statuses: string[] = [];
    const till = await open({
      ...at('till'),
      ...(resubscribeMs !== undefined && { resubscribeMs }),
      onStatus: (status) => statuses.push(status),
    });
    const received: string[] = [];
    let rejections = 0;
    const subscribe = async (): Promise<LastingSubscription> => {
      const subscription = new LastingSubscription(till, subject, {
        onMessage: (message) => received.push(message.string()),
        onRejected: () => (rejections += 1),
      });
      await eventually(() => expect(rejections).toBeGreaterThan(0));
      return subscription;
    };
    return { server, shop, till, received, statuses, subscribe, rejections: () => rejections };
  }

  it('retries on the same connection until its user may subscribe, and reports an interruption', async () => {
    const { server, shop, till, received, statuses, subscribe, rejections } = await openRejected(20);
    await subscribe();
    await eventually(() => expect(rejections()).toBeGreaterThan(2));
    // After the interruption and a flush, the subscription receives new messages.
    till.onInterruption(() => void till.nats.flush().then(() => shop.nats.publish(subject, 'sold')));
    await server.reload(users());
    await eventually(() => expect(received).toContain('sold'));
    expect(statuses).not.toContain('disconnect');
  });

  it('subscribes again after a reconnect, before all listeners of interruptions are called', async () => {
    const { server, till, received, subscribe } = await openRejected();
    till.onInterruption(() => {
      if (till.isConnected) till.nats.publish(subject, 'sold');
    });
    await subscribe();
    await server.reload(users());
    till.reconnect();
    await eventually(() => expect(received).toEqual(['sold']));
  });

  it('does not subscribe again after unsubscribe', async () => {
    const { server, till, shop, received, subscribe } = await openRejected(20);
    (await subscribe()).unsubscribe();
    await server.reload(users());
    const back = new Promise<void>((resolve) => till.onInterruption(() => till.isConnected && resolve()));
    till.reconnect();
    await back;
    await till.nats.flush();
    shop.nats.publish(subject, 'sold');
    await shop.nats.flush();
    await till.nats.flush();
    expect(received).toEqual([]);
  });
});

describe('BusConnection.open', () => {
  it('connects to any of several servers', async () => {
    const bus = await open({
      app: randomApp(),
      url: `nats://127.0.0.1:${await freePort()},${url}`,
    });
    expect(bus.isConnected).toBe(true);
  });

  it('waits for a server that starts later, and reports the wait', async () => {
    const nats = await startNats();
    closeLater({ close: () => nats.remove() });
    await nats.stop();
    const statuses: string[] = [];
    const opening = open({
      app: randomApp(),
      url: nats.url,
      onStatus: (status) => statuses.push(status),
    });
    await eventually(() => expect(statuses).toContain('waiting'));
    await nats.start();
    const bus = await opening;
    expect(bus.isConnected).toBe(true);
  });

  it('fails when no server answers, and reports the address without its password', async () => {
    const host = `127.0.0.1:${await freePort()}`;
    const opening = open({
      app: randomApp(),
      url: `nats://shop:secret-password@${host}`,
      firstConnectMs: 100,
    });
    await expect(opening).rejects.toThrow(`no NATS server at ${host}`);
    await expect(opening).rejects.not.toThrow('secret-password');
  });

  it('sends no password to a server without TLS when the URL is tls://', async () => {
    const received: string[] = [];
    let connections = 0;
    const impostor = createServer((socket) => {
      connections++;
      socket.on('data', (bytes) => received.push(bytes.toString()));
      socket.on('error', () => undefined);
      socket.write('INFO {"server_id":"x","version":"2.10.0","max_payload":1048576,"proto":1}\r\n');
    }).listen(0, '127.0.0.1');
    closeLater({ close: () => void impostor.close() });
    await once(impostor, 'listening');
    const { port } = impostor.address() as AddressInfo;
    const opening = open({
      app: randomApp(),
      url: `tls://shop:secret-password@127.0.0.1:${port}`,
      firstConnectMs: 600,
    });
    await expect(opening).rejects.toThrow('accepts the connection');
    expect(connections).toBeGreaterThan(0);
    expect(received).toEqual([]);
  });
});

/** Counts the rejections of the connection's user by NATS from now on. */
function countRejections({ nats }: BusConnection): () => number {
  let count = 0;
  void (async () => {
    for await (const { data } of nats.status()) if (data === ErrorCode.AuthorizationViolation) count++;
  })();
  return () => count;
}

describe('BusConnection to a server with users', () => {
  let nats: RestrictedNats;
  beforeAll(async () => {
    nats = await startRestrictedNats('{ user: shop, password: "p@ss:w/o%rd" }');
  });
  afterAll(() => nats.close());

  it('decodes a URL-encoded password', async () => {
    const bus = await open({
      app: 'shop',
      url: `nats://shop:${encodeURIComponent('p@ss:w/o%rd')}@${nats.host}`,
    });
    expect(bus.isConnected).toBe(true);
  });

  it('rejects a wrong password immediately', async () => {
    const startMs = performance.now();
    const opening = open({ app: 'shop', url: `nats://shop:wrong@${nats.host}` });
    await expect(opening).rejects.toThrow('Authorization Violation');
    // Retries would continue for 30 s.
    expect(performance.now() - startMs).toBeLessThan(20_000);
  });

  it('reconnects for events after its user was rejected for a while', async () => {
    const users = '{ user: till, password: pass }, { user: till-events, password: pass }';
    const server = closeLater(await startRestrictedNats(users));
    const bus = await open({ app: 'till', url: `nats://till:pass@${server.host}` });
    const events = closeLater(await bus.openEvents());
    const rejected = countRejections(events);
    await server.reload('{ user: till, password: pass }');
    // By default nats.js would close the connection at the second rejection.
    await eventually(() => expect(rejected()).toBeGreaterThan(2));
    expect(bus.isConnected).toBe(true);
    await server.reload(users);
    await eventually(() => expect(events.isConnected).toBe(true));
    expect(Object.fromEntries(bus.openSockets)).toEqual({ calls: 1, events: 1 });
  });
});
