import { randomUUID } from 'node:crypto';
import { BusConnection } from '../bus/bus-connection';
import { subscribeToEvents } from './event-hints';
import { eventHeaders } from './event-signatures';
import { events } from './events';
import { Text } from '../declarations/fields';
import { closing } from '../testing/closing';
import { signingOf, verifierOf } from '../testing/signed-events';
import { eventually, openTcpLink, startNats, type NatsServer, startRestrictedNats } from '../testing/servers';

const { closeLater, closeAll } = closing();
afterEach(closeAll);

class PriceChanged {
  @Text('Which one')
  name: string;
}
const { 'price-changed': priceChanged } = events('shop', {
  'price-changed': { version: 1, summary: 'A price was changed', data: PriceChanged },
});
const envelope = (name: string, data: object = { name }): Uint8Array =>
  Buffer.from(
    JSON.stringify({
      id: randomUUID(),
      type: 'price-changed',
      version: 1,
      aggregateId: name,
      aggregateVersion: 1,
      occurredAt: '2026-11-23T12:00:00.000Z',
      data,
    }),
  );

/** Publishes an event that is signed for every subscriber of these tests. */
function publish(bus: BusConnection, data: Uint8Array): void {
  const { subject } = priceChanged;
  const signing = signingOf('shop', 'shop', 'one', 'other');
  bus.publish(subject, data, { headers: eventHeaders({ subject, data }, { signing })! });
}

interface Received {
  events: string[];
  gaps: number;
}

function subscribe(bus: BusConnection): Received & { stop(): void } {
  const received: Received = { events: [], gaps: 0 };
  const { stop } = subscribeToEvents(bus, priceChanged, {
    verifier: verifierOf(bus.app),
    onEvent: ({ data }) => received.events.push(data.name),
    onGap: () => received.gaps++,
  });
  return Object.assign(received, { stop });
}

let nats: NatsServer;
beforeAll(async () => {
  nats = await startNats();
});
afterAll(() => nats.remove());

describe('subscribeToEvents', () => {
  it('delivers an event to all subscribers until they stop', async () => {
    const [shop, one, other] = [
      closeLater(await BusConnection.open({ app: 'shop', url: nats.url })),
      closeLater(await BusConnection.open({ app: 'one', url: nats.url })),
      closeLater(await BusConnection.open({ app: 'other', url: nats.url })),
    ];
    const [receivedByOne, receivedByOther] = [subscribe(one), subscribe(other)];
    await Promise.all([one.nats.flush(), other.nats.flush()]);
    publish(shop, envelope('1'));
    await eventually(() => expect([receivedByOne.events, receivedByOther.events]).toEqual([['1'], ['1']]));
    receivedByOne.stop();
    await one.nats.flush();
    publish(shop, envelope('2'));
    await eventually(() => expect(receivedByOther.events).toEqual(['1', '2']));
    expect(receivedByOne).toMatchObject({ events: ['1'], gaps: 0 });
  });

  it('reports an event that is invalid or not signed as a gap', async () => {
    const bus = closeLater(await BusConnection.open({ app: 'shop', url: nats.url }));
    const received = subscribe(bus);
    // This event is not signed.
    bus.publish(priceChanged.subject, envelope('1'));
    publish(bus, Buffer.from('{'));
    publish(bus, Buffer.from('{"id":1}'));
    publish(bus, envelope('1', { name: 5 }));
    await eventually(() => expect(received).toMatchObject({ events: [], gaps: 4 }));
  });

  it('reports a gap at the beginning and at the end of an outage', async () => {
    const link = closeLater(await openTcpLink(nats.url));
    const bus = closeLater(
      await BusConnection.open({ app: 'shop', url: link.url.replace('http:', 'nats:') }),
    );
    const received = subscribe(bus);
    await link.cut();
    await eventually(() => expect(received.gaps).toBe(1));
    await link.mend();
    await eventually(() => expect(received.gaps).toBe(2));
    await bus.nats.flush();
    publish(bus, envelope('3'));
    await eventually(() => expect(received.events).toEqual(['3']));
    received.stop();
    await link.cut();
    await eventually(() => expect(bus.isConnected).toBe(false));
    expect(received.gaps).toBe(2);
  });

  it('reports a gap when the user may not subscribe, and delivers events after a reconnect with restored permission', async () => {
    const restricted = closeLater(
      await startRestrictedNats('{ user: shop, password: pass, permissions { subscribe: ["_INBOX.>"] } }'),
    );
    const bus = closeLater(
      await BusConnection.open({ app: 'shop', url: `nats://shop:pass@${restricted.host}` }),
    );
    const received = subscribe(bus);
    await eventually(() => expect(received.gaps).toBe(1));
    expect(bus.isConnected).toBe(true);
    await restricted.reload('{ user: shop, password: pass }');
    bus.reconnect();
    await eventually(() => expect(received.gaps).toBe(3));
    await bus.nats.flush();
    publish(bus, envelope('4'));
    await eventually(() => expect(received.events).toEqual(['4']));
  });
});
