import { randomUUID } from 'node:crypto';
import { BusConnection } from './bus-connection';
import { subscribeToEvents } from './event-hints';
import { events } from './events';
import { Text } from './fields';
import { closing } from './testing/closing';
import { startRestrictedNats } from './testing/restricted-nats';
import { eventually, openTcpLink, startNats, type NatsServer } from './testing/servers';

const { closeLater, closeAll } = closing();
afterEach(closeAll);

class PriceChanged {
  @Text({ description: 'Which one' })
  name: string;
}
const { 'price-changed': told } = events('shop', {
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

interface Heard {
  events: string[];
  gaps: number;
}

function hear(bus: BusConnection): Heard & { stop(): void } {
  const heard: Heard = { events: [], gaps: 0 };
  const { stop } = subscribeToEvents(bus, told, {
    onEvent: ({ data }) => heard.events.push(data.name),
    onGap: () => heard.gaps++,
  });
  return Object.assign(heard, { stop });
}

let nats: NatsServer;
beforeAll(async () => {
  nats = await startNats();
});
afterAll(() => nats.remove());

it('is heard by everybody who listens, until he stops', async () => {
  const [shop, one, other] = [
    closeLater(await BusConnection.open({ app: 'shop', url: nats.url })),
    closeLater(await BusConnection.open({ app: 'one', url: nats.url })),
    closeLater(await BusConnection.open({ app: 'other', url: nats.url })),
  ];
  const [heardByOne, heardByOther] = [hear(one), hear(other)];
  await Promise.all([one.nats.flush(), other.nats.flush()]);
  shop.publish(told.subject, envelope('1'));
  await eventually(() => expect([heardByOne.events, heardByOther.events]).toEqual([['1'], ['1']]));
  heardByOne.stop();
  await one.nats.flush();
  shop.publish(told.subject, envelope('2'));
  await eventually(() => expect(heardByOther.events).toEqual(['1', '2']));
  expect(heardByOne).toMatchObject({ events: ['1'], gaps: 0 });
});

it('that is not valid is a gap', async () => {
  const bus = closeLater(await BusConnection.open({ app: 'shop', url: nats.url }));
  const heard = hear(bus);
  bus.publish(told.subject, Buffer.from('{'));
  bus.publish(told.subject, Buffer.from('{"id":1}'));
  bus.publish(told.subject, envelope('1', { name: 5 }));
  await eventually(() => expect(heard).toMatchObject({ events: [], gaps: 3 }));
});

it('may be missed while the bus is away: both ends of that are a gap', async () => {
  const link = closeLater(await openTcpLink(nats.url));
  const bus = closeLater(await BusConnection.open({ app: 'shop', url: link.url.replace('http:', 'nats:') }));
  const heard = hear(bus);
  await link.cut();
  await eventually(() => expect(heard.gaps).toBe(1));
  await link.mend();
  await eventually(() => expect(heard.gaps).toBe(2));
  await bus.nats.flush();
  bus.publish(told.subject, envelope('3'));
  await eventually(() => expect(heard.events).toEqual(['3']));
  heard.stop();
  await link.cut();
  await eventually(() => expect(bus.isConnected).toBe(false));
  expect(heard.gaps).toBe(2);
});

it('that this user may not hear is a gap, and ends nothing', async () => {
  const restricted = closeLater(
    await startRestrictedNats('{ user: shop, password: pass, permissions { subscribe: ["_INBOX.>"] } }'),
  );
  const bus = closeLater(
    await BusConnection.open({ app: 'shop', url: `nats://shop:pass@${restricted.host}` }),
  );
  const heard = hear(bus);
  await eventually(() => expect(heard.gaps).toBe(1));
  expect(bus.isConnected).toBe(true);
});
