import type { ConsumerInfo, JetStreamManager } from 'nats';
import { randomUUID } from 'node:crypto';
import { BusConnection } from './bus-connection';
import { EventConsumer, type ConsumerOptions } from './event-consumer';
import { EventPublisher } from './event-publisher';
import { eventPrefix, events, streamOf, subjectOf, type EventEnvelope } from './events';
import { closing } from './testing/closing';
import { eventually, openTcpLink, startNats, type NatsServer } from './testing/servers';
import { gate, randomApp, sharedNatsUrl } from './testing/shop';

/** The app that tells, the app that listens, and what was heard. */
let source: string;
let reader: string;
let bus: BusConnection;
let publisher: EventPublisher;
let manager: JetStreamManager;
const { closeLater, closeAll } = closing();

jest.setTimeout(30_000);

beforeEach(async () => {
  [source, reader] = [randomApp(), randomApp()];
  bus = closeLater(await BusConnection.open({ app: source, url: sharedNatsUrl() }));
  publisher = new EventPublisher(bus);
  manager = await bus.nats.jetstreamManager();
});

afterEach(async () => {
  await manager.streams.delete(streamOf(source)).catch(() => undefined);
  await closeAll();
});

type Handling = Partial<ConsumerOptions> & Pick<ConsumerOptions, 'handle'>;

function consume(connection: BusConnection, options: Handling): EventConsumer {
  const onDead = async () => undefined;
  const consumer = new EventConsumer(connection, { source, purpose: 'test', onDead, ...options });
  closeLater({ close: () => consumer.stop() });
  consumer.start();
  return consumer;
}

/** A connection of the app that listens, closed after its consumers. */
async function connect(url = sharedNatsUrl()): Promise<BusConnection> {
  return closeLater(await BusConnection.open({ app: reader, url }));
}

/** A server of the test's own, with the app that tells connected to it. */
async function startOwnNats(): Promise<{ nats: NatsServer; tells: EventPublisher }> {
  const nats = await startNats();
  closeLater({ close: () => nats.remove() });
  const teller = closeLater(await BusConnection.open({ app: source, url: nats.url }));
  return { nats, tells: new EventPublisher(teller) };
}

function envelope(data: unknown): EventEnvelope {
  return {
    id: randomUUID(),
    type: 'good-sold',
    version: 1,
    aggregateId: 'tea',
    aggregateVersion: 1,
    occurredAt: new Date().toISOString(),
    requestId: 'request-1',
    traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    data,
  };
}

const tell = (...payloads: string[]): Promise<void> => tellBy(publisher, ...payloads);
const tellBy = (by: EventPublisher, ...payloads: string[]): Promise<void> =>
  by.publish(
    payloads.map((payload) => ({
      id: randomUUID(),
      subject: `${eventPrefix(source)}.good-sold.v1`,
      payload,
    })),
  );
const tellNumbers = (...numbers: number[]): Promise<void> =>
  tell(...numbers.map((number) => JSON.stringify(envelope(number))));

const consumerInfo = (): Promise<ConsumerInfo> => manager.consumers.info(streamOf(source), `${reader}-test`);
const nothingOpen = () =>
  eventually(async () => expect(await consumerInfo()).toMatchObject({ num_pending: 0, num_ack_pending: 0 }));

describe('a consumer', () => {
  it('hears everything, in order, also what was told before it was there', async () => {
    await publisher.ensureStream();
    await tellNumbers(1, 2, 3);
    const own = await connect();
    const heard: unknown[] = [];
    consume(own, { handle: async ({ data }) => void heard.push(data) });
    await eventually(() => expect(heard).toEqual([1, 2, 3]));
    await tellNumbers(4);
    await eventually(() => expect(heard).toEqual([1, 2, 3, 4]));
    await nothingOpen();
  });

  it('gets the envelope as it was told', async () => {
    await publisher.ensureStream();
    const told = envelope({ amount: '9007199254740993' });
    const heard: EventEnvelope[] = [];
    const own = await connect();
    consume(own, { handle: async (event) => void heard.push(event) });
    await tell(JSON.stringify(told));
    await eventually(() => expect(heard).toEqual([told]));
  });

  it('hears one type of event of every aggregate, when it wants no other', async () => {
    await publisher.ensureStream();
    const { 'good-moved': moved } = events(source, {
      'good-moved': { version: 1, summary: 'Moved', data: Object, isPerAggregate: true },
    });
    const tellOf = (aggregateId: string, subject: string, type = 'good-moved') =>
      publisher.publish([
        {
          id: randomUUID(),
          subject,
          payload: JSON.stringify({ ...envelope(aggregateId), type, aggregateId }),
        },
      ]);
    const heard: unknown[] = [];
    const dead: string[] = [];
    const own = await connect();
    const onDead = async (_text: string, reason: unknown) => void dead.push((reason as Error).message);
    consume(own, { event: moved, onDead, handle: async ({ data }) => void heard.push(data) });
    await tellOf('tea', subjectOf(moved, 'tea'));
    await tellNumbers(1);
    await tellOf('milk', subjectOf(moved, 'milk'));
    await eventually(() => expect(heard).toEqual(['tea', 'milk']));
    await tellOf('tea', subjectOf(moved, 'milk'));
    await tellOf('tea', subjectOf(moved, 'tea'), 'good-sold');
    await nothingOpen();
    expect(heard).toEqual(['tea', 'milk']);
    const said = (id: string) => `the event is not one of its subject, ${moved.subject}.${id}`;
    await eventually(() => expect(dead).toEqual([said('milk'), said('tea')]));
  });

  it('goes on where it stopped', async () => {
    await publisher.ensureStream();
    const own = await connect();
    const heard: unknown[] = [];
    const first = consume(own, { handle: async ({ data }) => void heard.push(data) });
    await tellNumbers(1, 2);
    await nothingOpen();
    await first.stop();
    await tellNumbers(3);
    consume(own, { handle: async ({ data }) => void heard.push(data) });
    await eventually(() => expect(heard).toEqual([1, 2, 3]));
  });

  it('starts before its stream is there', async () => {
    const own = await connect();
    const heard: unknown[] = [];
    const errors: unknown[] = [];
    consume(own, {
      handle: async ({ data }) => void heard.push(data),
      onError: (error) => errors.push(error),
    });
    await eventually(() => expect(errors.length).toBeGreaterThan(0));
    await publisher.ensureStream();
    await tellNumbers(1);
    await eventually(() => expect(heard).toEqual([1]));
  });

  it('shares the work with its replicas: each event goes to one of them', async () => {
    await publisher.ensureStream();
    const connections = [await connect(), await connect()];
    const heard: unknown[][] = [[], []];
    connections.forEach((connection, index) =>
      consume(connection, {
        handle: async ({ data }) => {
          heard[index]!.push(data);
          await new Promise(setImmediate);
        },
      }),
    );
    const numbers = Array.from({ length: 300 }, (_, index) => index);
    await tellNumbers(...numbers);
    await eventually(() => expect(heard.flat()).toHaveLength(300));
    expect(new Set(heard.flat()).size).toBe(300);
    await nothingOpen();
  });

  it('takes over the bounds of this release from a consumer of an earlier one', async () => {
    await publisher.ensureStream();
    const own = await connect();
    const heard: unknown[] = [];
    const options: Handling = { handle: async ({ data }) => void heard.push(data) };
    await consume(own, options).stop();
    await eventually(consumerInfo);
    const wanted = (await consumerInfo()).config;
    await manager.consumers.update(streamOf(source), `${reader}-test`, { ack_wait: 1e9, max_ack_pending: 1 });
    consume(own, options);
    await eventually(async () => expect((await consumerInfo()).config).toEqual(wanted));
  });
});

describe('an event that fails', () => {
  beforeEach(() => publisher.ensureStream());

  it('comes again until it succeeds, and its neighbours do not wait for it', async () => {
    const own = await connect();
    const heard: unknown[] = [];
    let failures = 0;
    consume(own, {
      handle: async ({ data }) => {
        if (data === 'bad' && failures < 3) {
          failures++;
          throw new Error('not now');
        }
        heard.push(data);
      },
    });
    await tell(...['bad', 'good', 'better'].map((data) => JSON.stringify(envelope(data))));
    await eventually(() => expect(heard).toEqual(['good', 'better', 'bad']));
    expect(failures).toBe(3);
    await nothingOpen();
  });

  it('is put aside with its text and the reason after the last try', async () => {
    const own = await connect();
    const [dead, heard, errors]: [unknown[], unknown[], unknown[]] = [[], [], []];
    const reason = new Error('never');
    consume(own, {
      maxDeliveries: 3,
      handle: async ({ data }) => {
        if (data === 'bad') throw reason;
        heard.push(data);
      },
      onDead: async (text, why) => void dead.push([text, why]),
      onError: (error) => errors.push(error),
    });
    const bad = JSON.stringify(envelope('bad'));
    await tell(bad, JSON.stringify(envelope('good')));
    await eventually(() => expect(dead).toEqual([[bad, reason]]));
    expect(errors).toEqual([reason, reason, reason]);
    expect(heard).toEqual(['good']);
    await nothingOpen();
  });

  it.each([
    ['no JSON', '{"id":'],
    ['nothing', ''],
    ['null', 'null'],
    ['JSON without an id', '{"type":"good-sold"}'],
    ['a NUL', '\0'],
  ])('is put aside at once when it is %s', async (_case, poison) => {
    const own = await connect();
    const [dead, heard]: [string[], unknown[]] = [[], []];
    consume(own, {
      handle: async ({ data }) => void heard.push(data),
      onDead: async (text) => void dead.push(text),
    });
    await tell(poison, JSON.stringify(envelope('good')));
    await eventually(() => expect(heard).toEqual(['good']));
    expect(dead).toEqual([poison]);
    await nothingOpen();
  });

  it('is tried again also when what failed was the parsing of something else', async () => {
    const own = await connect();
    const dead: unknown[] = [];
    let tries = 0;
    consume(own, {
      handle: async () => {
        if (++tries === 1) JSON.parse('<html>');
      },
      onDead: async (text) => void dead.push(text),
    });
    await tellNumbers(1);
    await eventually(() => expect(tries).toBe(2));
    await nothingOpen();
    expect(dead).toEqual([]);
  });

  it('is not given up while it cannot be put aside', async () => {
    const own = await connect();
    const errors: unknown[] = [];
    const noSpace = new Error('no space');
    consume(own, {
      maxDeliveries: 1,
      handle: () => Promise.reject(new Error('never')),
      onDead: () => Promise.reject(noSpace),
      onError: (error) => errors.push(error),
    });
    await tellNumbers(1);
    await eventually(() => expect(errors).toContain(noSpace));
    await bus.nats.flush();
    expect(await consumerInfo()).toMatchObject({ num_ack_pending: 1 });
  });
});

describe('a consumer that loses', () => {
  it('the connection goes on when it is back', async () => {
    await publisher.ensureStream();
    const link = closeLater(await openTcpLink(sharedNatsUrl()));
    const own = await connect(link.url.replace('http', 'nats'));
    const heard = new Set<unknown>();
    consume(own, { handle: async ({ data }) => void heard.add(data) });
    await tellNumbers(1);
    await eventually(() => expect(heard).toEqual(new Set([1])));
    await link.cut();
    await eventually(() => expect(own.isConnected).toBe(false));
    await tellNumbers(2);
    await link.mend();
    await eventually(() => expect(heard).toEqual(new Set([1, 2])));
  });

  it('the server goes on when it is started again', async () => {
    const { nats, tells } = await startOwnNats();
    await tells.ensureStream();
    const own = await connect(nats.url);
    const heard: unknown[] = [];
    consume(own, { handle: async ({ data }) => void heard.push(data) });
    await tellBy(tells, JSON.stringify(envelope(1)));
    await eventually(() => expect(heard).toEqual([1]));
    await nats.stop('SIGKILL');
    await nats.start();
    await eventually(() => tellBy(tells, JSON.stringify(envelope(2))));
    await eventually(() => expect(heard).toContain(2));
  });

  it('its stream hears the new one from its beginning', async () => {
    await publisher.ensureStream();
    const own = await connect();
    const heard: unknown[] = [];
    consume(own, { handle: async ({ data }) => void heard.push(data) });
    await tellNumbers(1);
    await eventually(() => expect(heard).toEqual([1]));
    await manager.streams.delete(streamOf(source));
    await publisher.ensureStream();
    await tellNumbers(1, 2);
    await eventually(() => expect(heard).toEqual([1, 1, 2]));
  });

  it('all storage of the server hears the new stream from its beginning', async () => {
    const { nats, tells } = await startOwnNats();
    await tells.ensureStream();
    const own = await connect(nats.url);
    const heard: unknown[] = [];
    consume(own, { handle: async ({ data }) => void heard.push(data) });
    await tellBy(tells, JSON.stringify(envelope(1)));
    await eventually(() => expect(heard).toEqual([1]));
    await nats.stop('SIGKILL');
    nats.loseStorage();
    await nats.start();
    await eventually(() => tells.ensureStream());
    await tellBy(tells, JSON.stringify(envelope(1)), JSON.stringify(envelope(2)));
    await eventually(() => expect(heard).toEqual([1, 1, 2]), { timeoutMs: 25_000 });
  });
});

describe('a consumer that stops', () => {
  const timed = async (work: Promise<unknown>): Promise<number> => {
    const startMs = performance.now();
    await work;
    return performance.now() - startMs;
  };

  it.each([
    ['has just started', async () => undefined],
    ['has nothing to do', () => eventually(consumerInfo)],
  ])('does so at once when it %s', async (_case, wait) => {
    await publisher.ensureStream();
    const own = await connect();
    const consumer = consume(own, { handle: async () => undefined });
    await wait();
    expect(await timed(consumer.stop())).toBeLessThan(1_000);
  });

  it('does so at once when it waits for its stream', async () => {
    const own = await connect();
    const errors: unknown[] = [];
    const consumer = consume(own, { handle: async () => undefined, onError: (error) => errors.push(error) });
    await eventually(() => expect(errors).not.toHaveLength(0));
    expect(await timed(consumer.stop())).toBeLessThan(400);
  });

  it('finishes the event under way, and hands the others over at once', async () => {
    await publisher.ensureStream();
    const [leaving, staying] = [await connect(), await connect()];
    const [begun, end] = [gate(), gate()];
    const heard: unknown[] = [];
    const first = consume(leaving, {
      handle: async ({ data }) => {
        begun.open();
        await end.opened;
        heard.push(data);
      },
    });
    await tellNumbers(1, 2, 3, 4, 5);
    await begun.opened;
    await eventually(async () => expect((await consumerInfo()).num_ack_pending).toBe(5));
    const stopping = first.stop();
    end.open();
    await stopping;
    expect(heard).toEqual([1]);
    consume(staying, { handle: async ({ data }) => void heard.push(data) });
    // What comes again may come in another order: events carry the version of what they tell.
    await eventually(() => expect([...heard].sort()).toEqual([1, 2, 3, 4, 5]));
    await nothingOpen();
  });
});
