import { BusClient } from './bus-client';
import { BusConnection } from './bus-connection';
import { callContext } from '../calls/call-context';
import { EventConsumer } from '../events/event-consumer';
import { eventDecoder } from '../events/event-decoding';
import { EventPublisher } from '../events/event-publisher';
import { events, streamOf, type EventEnvelope } from '../events/events';
import { OneOf, Text } from '../declarations/fields';
import { developmentIdentity } from './service-identity';
import { provisionStream } from '../events/stream-provisioning';
import { closing } from '../testing/closing';
import { signingOf, verifierOf } from '../testing/signed-events';
import { eventually } from '../testing/servers';
import { openShop, randomApp, sharedNatsUrl, shopApi, type Question } from '../testing/shop';
import { encodeContext } from '../declarations/wire';
import { anEventEnvelope } from '../testing/event-envelope.builder';

const url = sharedNatsUrl();
const { closeLater, closeAll } = closing();
let app: string;
let questions: Question[];

beforeEach(() => {
  app = randomApp();
  questions = [];
});

afterEach(closeAll);

async function startShop(): Promise<BusConnection> {
  const shop = await openShop(url, app, (question) => {
    questions.push(question);
    return { text: 'yes', newerField: [1] } as never;
  });
  closeLater(shop);
  return closeLater(await BusConnection.open({ app: randomApp(), url }));
}

const newerInput = Buffer.from('{"text":"tea?","newerField":{"deep":1}}');

describe('a call of a newer release', () => {
  it('succeeds with an undeclared field when another app sends it', async () => {
    const bus = await startShop();
    const client = closeLater(new BusClient(bus, developmentIdentity('merchant')));
    await client.callBytes(shopApi(app).operations.ask, newerInput, callContext());
    expect(questions).toEqual([{ text: 'tea?' }]);
  });

  it('fails with every invalid field when a client sends it through the gateway', async () => {
    const bus = await startShop();
    const client = closeLater(new BusClient(bus, developmentIdentity('gateway')));
    const call = client.callBytes(
      shopApi(app).operations.ask,
      Buffer.from('{"text":7,"one":1,"two":2}'),
      callContext(),
    );
    await expect(call).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: [
        { field: 'one', message: 'is not a known field' },
        { field: 'two', message: 'is not a known field' },
        { field: 'text', message: 'must be a string' },
      ],
    });
    expect(questions).toEqual([]);
  });

  it('succeeds with undeclared headers, which its signature does not cover', async () => {
    const bus = await startShop();
    const { subject } = shopApi(app).operations.ask;
    const identity = developmentIdentity('merchant');
    const headers = encodeContext(callContext(), false, (fields) =>
      identity.sign(app, { subject, fields, body: newerInput }),
    );
    headers.set('tb-newer-header', 'value');
    const reply = await bus.request(subject, newerInput, { headers, timeoutMs: 5_000 });
    expect(reply.json()).toEqual({ text: 'yes', newerField: [1] });
  });

  it('returns the undeclared fields of a newer reply to the caller', async () => {
    const bus = await startShop();
    const client = closeLater(new BusClient(bus, developmentIdentity('gateway')));
    expect(await client.call(shopApi(app).operations.ask, { text: 'tea?' })).toEqual({
      text: 'yes',
      newerField: [1],
    });
  });
});

class Changed {
  @Text('Which')
  order: string;
  @OneOf(['open', 'paid'], 'State')
  state: string;
  @Text('Not sent by older releases', { default: 'none' })
  memo: string;
}

describe('events of another release', () => {
  it('reach exactly one outcome each (handled, ignored or dead-lettered) without blocking other events', async () => {
    const bus = closeLater(await BusConnection.open({ app, url }));
    const declared = events(app, { changed: { version: 1, summary: 'Changed', data: Changed } }).changed;
    const reader = closeLater(await BusConnection.open({ app: randomApp(), url }));
    const publisher = new EventPublisher(bus, { signing: signingOf(app, reader.app) });
    const streams = closeLater(await bus.openEvents());
    await provisionStream(streams, { app, consumers: [{ name: `${reader.app}-test` }] });
    const manager = await streams.jetstreamManager();
    closeLater({ close: async () => void (await manager.streams.delete(streamOf(app))) });
    const handled: EventEnvelope<Changed>[] = [];
    const dead: string[] = [];
    const consumer = new EventConsumer<Changed>(reader, {
      source: app,
      purpose: 'test',
      verifier: verifierOf(reader.app),
      decode: eventDecoder([declared]),
      handle: async (batch) => void handled.push(...batch),
      onDead: async (_text, reason) => void dead.push((reason as Error).message),
    });
    closeLater({ close: () => consumer.stop() });
    consumer.start();

    const publish = (type: string, version: number, data: object, envelope = {}) => {
      const event = anEventEnvelope({ type, version, aggregateId: 'o1', data, ...envelope });
      const { id } = event;
      const payload = JSON.stringify(event);
      return publisher.publish([{ id, subject: `events.${app}.${type}.v${version}`, payload }]);
    };
    await publish('changed', 1, { order: 'o1', state: 'open', newer: [{ deep: 1 }] }, { newerField: 1 });
    await publish('moved', 1, { whatever: true });
    await publish('changed', 2, { order: 7 });
    await publish('changed', 1, { order: 'o1', state: 'escalated' });
    await publish('changed', 1, { order: 'o1', state: 'paid', memo: 'm' });

    await eventually(async () => {
      const info = await manager.consumers.info(streamOf(app), `${reader.app}-test`);
      expect([info.num_pending, info.num_ack_pending]).toEqual([0, 0]);
      expect(info.delivered.stream_seq).toBe(5);
    });
    expect(handled.map(({ data }) => data)).toEqual([
      { order: 'o1', state: 'open', memo: 'none' },
      { order: 'o1', state: 'paid', memo: 'm' },
    ]);
    expect(dead).toEqual(['Invalid changed event: state must be one of open, paid']);
  });
});
