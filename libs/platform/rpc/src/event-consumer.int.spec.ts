import type { ConsumerInfo, JetStreamManager } from 'nats';
import { randomUUID } from 'node:crypto';
import { BusConnection } from './bus-connection';
import { EventConsumer, type ConsumerOptions } from './event-consumer';
import { eventDecoder, InvalidEventError, type EventDecoder } from './event-decoding';
import { EventPublisher } from './event-publisher';
import { eventPrefix, events, readEnvelope, streamOf, subjectOf, type EventEnvelope } from './events';
import { Amount, Text } from './fields';
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

/** Any envelope: what decoders reject has tests of its own. */
const readAny: EventDecoder = (text, subject) => {
  const event = readEnvelope(text, subject);
  if (event instanceof Error)
    throw new InvalidEventError('unreadable', [{ field: 'event', message: event.message }]);
  return event;
};

type Handling = Partial<ConsumerOptions> & Pick<ConsumerOptions, 'handle'>;

function consume(connection: BusConnection, options: Handling): EventConsumer {
  const onDead = async () => undefined;
  const consumer = new EventConsumer(connection, {
    source,
    purpose: 'test',
    decode: readAny,
    onDead,
    ...options,
  });
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
    // Each of another thing: events of one thing wait for each other.
    aggregateId: randomUUID(),
    aggregateVersion: 1,
    occurredAt: new Date().toISOString(),
    requestId: 'request-1',
    traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    data,
  };
}

type Events = readonly EventEnvelope[];

const into =
  (heard: unknown[]) =>
  async (events: Events): Promise<void> =>
    void heard.push(...events.map(({ data }) => data));
const isAlone = (events: Events, wanted: unknown): boolean =>
  events.length === 1 && events[0]!.data === wanted;

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
    consume(own, { handle: into(heard) });
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
    consume(own, { handle: async (events) => void heard.push(...events) });
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
    consume(own, { event: moved, onDead, handle: into(heard) });
    await tellOf('tea', subjectOf(moved, 'tea'));
    await tellNumbers(1);
    await tellOf('milk', subjectOf(moved, 'milk'));
    await eventually(() => expect(heard).toEqual(['tea', 'milk']));
    await tellOf('tea', subjectOf(moved, 'milk'));
    await tellOf('tea', subjectOf(moved, 'tea'), 'good-sold');
    await nothingOpen();
    expect(heard).toEqual(['tea', 'milk']);
    const said = (id: string) =>
      `Invalid unreadable event: event the event is not one of its subject, ${moved.subject}.${id}`;
    await eventually(() => expect(dead).toEqual([said('milk'), said('tea')]));
  });

  it('dead-letters an invalid event at once, handles the others and ignores types that are not declared', async () => {
    await publisher.ensureStream();
    class GoodSold {
      @Text({ description: 'Which one' })
      name: string;
      @Amount({ description: 'For how much' })
      amount: string;
    }
    const declared = events(source, { 'good-sold': { version: 1, summary: 'Sold', data: GoodSold } });
    const [heard, dead]: [unknown[], string[]] = [[], []];
    const good = (name: string) => JSON.stringify(envelope({ name, amount: '5' }));
    await tell(
      good('tea'),
      JSON.stringify(envelope({ name: 7, amount: '-5' })),
      '{',
      JSON.stringify({ ...envelope({}), version: 2 }),
      good('milk'),
    );
    let calls = 0;
    const consumer = new EventConsumer(await connect(), {
      source,
      purpose: 'test',
      decode: eventDecoder([declared['good-sold']]),
      handle: async (batch) => {
        calls++;
        heard.push(...batch.map(({ data }) => data));
      },
      onDead: async (_text, reason) => void dead.push((reason as Error).message),
    });
    closeLater({ close: () => consumer.stop() });
    consumer.start();
    await nothingOpen();
    expect(heard).toEqual([
      { name: 'tea', amount: '5' },
      { name: 'milk', amount: '5' },
    ]);
    expect(calls).toBeLessThanOrEqual(2);
    expect(dead).toEqual([
      expect.stringMatching(
        /^Invalid good-sold event: name must be a string; amount must be a string of an integer/,
      ),
      expect.stringMatching(/^Invalid unreadable event: event /),
    ]);
  });

  it('goes on where it stopped', async () => {
    await publisher.ensureStream();
    const own = await connect();
    const heard: unknown[] = [];
    const first = consume(own, { handle: into(heard) });
    await tellNumbers(1, 2);
    await nothingOpen();
    await first.stop();
    await tellNumbers(3);
    consume(own, { handle: into(heard) });
    await eventually(() => expect(heard).toEqual([1, 2, 3]));
  });

  it('starts before its stream is there', async () => {
    const own = await connect();
    const heard: unknown[] = [];
    const errors: unknown[] = [];
    consume(own, {
      handle: into(heard),
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
        handle: async (events) => {
          heard[index]!.push(...events.map(({ data }) => data));
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
    const options: Handling = { handle: into(heard) };
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
      handle: async (events) => {
        if (isAlone(events, 'bad') && ++failures <= 3) throw new Error('not now');
        if (events.length > 1 && events.some(({ data }) => data === 'bad')) throw new Error('not together');
        heard.push(...events.map(({ data }) => data));
      },
    });
    await tell(...['bad', 'good', 'better'].map((data) => JSON.stringify(envelope(data))));
    await eventually(() => expect(heard).toEqual(['good', 'better', 'bad']));
    expect(failures).toBe(4);
    await nothingOpen();
  });

  it('is put aside with its text and the reason after the last try', async () => {
    const own = await connect();
    const [dead, heard, errors]: [unknown[], unknown[], unknown[]] = [[], [], []];
    const reason = new Error('never');
    consume(own, {
      maxAttempts: 3,
      handle: async (events) => {
        if (events.some(({ data }) => data === 'bad')) throw reason;
        heard.push(...events.map(({ data }) => data));
      },
      onDead: async (text, why) => void dead.push([text, why]),
      onError: (error) => errors.push(error),
    });
    const bad = JSON.stringify(envelope('bad'));
    await tell(bad, JSON.stringify(envelope('good')));
    await eventually(() => expect(dead).toEqual([[bad, reason]]));
    // Once more where the first batch had both events.
    expect(new Set(errors)).toEqual(new Set([reason]));
    expect([3, 4]).toContain(errors.length);
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
      handle: into(heard),
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
      maxAttempts: 1,
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

describe('a batch', () => {
  beforeEach(() => publisher.ensureStream());

  /** Holds the first event until the others wait behind it, so that they come as one batch. */
  function holdFirst(handle: (events: Events) => Promise<void>): {
    handle: (events: Events) => Promise<void>;
    release(): Promise<void>;
  } {
    const end = gate();
    const release = async (): Promise<void> => {
      await eventually(async () => expect(await consumerInfo()).toMatchObject({ num_pending: 0 }));
      await bus.nats.flush();
      end.open();
    };
    const held = async (events: Events): Promise<void> => {
      if (isAlone(events, 'first')) return end.opened;
      return handle(events);
    };
    return { handle: held, release };
  }

  const tellAll = (
    data: unknown[],
    change: (event: EventEnvelope) => void = () => undefined,
  ): Promise<void> =>
    tell(
      ...data.map((one) => {
        const event = envelope(one);
        change(event);
        return JSON.stringify(event);
      }),
    );

  it('holds everything that waits, in order, up to 500 events', async () => {
    const batches: unknown[][] = [];
    const handled: number[] = [];
    const { handle, release } = holdFirst(
      async (events) => void batches.push(events.map(({ data }) => data)),
    );
    consume(await connect(), { handle, onHandled: ({ events }) => handled.push(events) });
    await tellAll(['first']);
    const numbers = Array.from({ length: 700 }, (_, index) => index);
    await tellAll(numbers);
    await release();
    await eventually(() => expect(batches.flat()).toEqual(numbers));
    await nothingOpen();
    expect(Math.max(...batches.map(({ length }) => length))).toBe(500);
    expect(handled).toEqual([1, ...batches.map(({ length }) => length)]);
  });

  it('is bounded by size', async () => {
    const batches: number[] = [];
    const { handle, release } = holdFirst(async (events) => void batches.push(events.length));
    consume(await connect(), { handle });
    await tellAll(['first']);
    const large = 'x'.repeat(900_000);
    for (let sent = 0; sent < 10; sent++) await tellAll([large]);
    await release();
    await eventually(() => expect(batches.reduce((sum, length) => sum + length, 0)).toBe(10));
    expect(Math.max(...batches)).toBe(4);
    await nothingOpen();
  });

  it('sets a bad event apart: all others are handled once, and it is dead-lettered', async () => {
    const [heard, dead]: [unknown[], string[]] = [[], []];
    const { handle, release } = holdFirst(async (events) => {
      if (events.some(({ data }) => data === 77)) throw new Error('bad');
      heard.push(...events.map(({ data }) => data));
    });
    consume(await connect(), { handle, maxAttempts: 2, onDead: async (text) => void dead.push(text) });
    await tellAll(['first']);
    await tellAll(
      Array.from({ length: 200 }, (_, index) => index),
      (event) => (event.aggregateId = String(event.data)),
    );
    await release();
    await eventually(() => expect(dead).toHaveLength(1));
    expect(JSON.parse(dead[0]!)).toMatchObject({ data: 77 });
    await nothingOpen();
    expect(heard).toEqual(Array.from({ length: 200 }, (_, index) => index).filter((data) => data !== 77));
  });

  it('hands the events behind a failed one of the same aggregate back with it', async () => {
    const heard: unknown[] = [];
    let failures = 0;
    const { handle, release } = holdFirst(async (events) => {
      if (events.some(({ data }) => data === 'a1') && failures < 3) {
        if (events.length === 1) failures++;
        throw new Error('not now');
      }
      heard.push(...events.map(({ data }) => data));
    });
    consume(await connect(), { handle });
    await tellAll(['first']);
    await tellAll(['a1', 'b1', 'a2', 'b2', 'a3'], (event) => (event.aggregateId = String(event.data)[0]!));
    await release();
    await eventually(() => expect(heard).toEqual(['b1', 'b2', 'a1', 'a2', 'a3']));
    await nothingOpen();
  });

  it('is neither split nor dead-lettered during an outage', async () => {
    const [sizes, heard, dead]: [number[], unknown[], string[]] = [[], [], []];
    let isAway = true;
    const { handle, release } = holdFirst(async (events) => {
      sizes.push(events.length);
      if (isAway) throw new Error('away');
      heard.push(...events.map(({ data }) => data));
    });
    const isOutage = (error: unknown): boolean => (error as Error).message === 'away';
    consume(await connect(), {
      handle,
      isOutage,
      maxAttempts: 1,
      onDead: async (text) => void dead.push(text),
    });
    await tellAll(['first']);
    await tellAll([1, 2, 3, 4]);
    await release();
    await eventually(() => expect(sizes.length).toBeGreaterThan(1));
    expect(sizes[0]).toBe(4);
    isAway = false;
    await eventually(() => expect([...heard].sort()).toEqual([1, 2, 3, 4]));
    await nothingOpen();
    expect(dead).toEqual([]);
  });

  it('dead-letters an event that alone is always out of time, while others are handled', async () => {
    const [heard, dead]: [unknown[], string[]] = [[], []];
    const { handle, release } = holdFirst(async (events) => {
      if (events.some(({ data }) => data === 'slow')) throw new Error('out of time');
      heard.push(...events.map(({ data }) => data));
    });
    consume(await connect(), {
      handle,
      isOutage: () => true,
      maxAttempts: 1,
      onDead: async (text) => void dead.push(text),
    });
    await tellAll(['first']);
    await tellAll([1, 'slow', 2]);
    await release();
    await eventually(
      async () => {
        await tellAll([3]);
        expect(dead).toHaveLength(1);
      },
      { timeoutMs: 25_000, everyMs: 200 },
    );
    await nothingOpen();
    expect(heard).toEqual(expect.arrayContaining([1, 2, 3]));
  });
});

describe('a consumer that loses', () => {
  it('the connection goes on when it is back', async () => {
    await publisher.ensureStream();
    const link = closeLater(await openTcpLink(sharedNatsUrl()));
    const own = await connect(link.url.replace('http', 'nats'));
    const heard = new Set<unknown>();
    consume(own, { handle: async (events) => events.forEach(({ data }) => heard.add(data)) });
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
    consume(own, { handle: into(heard) });
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
    consume(own, { handle: into(heard) });
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
    consume(own, { handle: into(heard) });
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
      handle: async (events) => {
        begun.open();
        await end.opened;
        heard.push(...events.map(({ data }) => data));
      },
    });
    await tellNumbers(1);
    await begun.opened;
    await tellNumbers(2, 3, 4, 5);
    await eventually(async () => expect((await consumerInfo()).num_ack_pending).toBe(5));
    const stopping = first.stop();
    end.open();
    await stopping;
    expect(heard).toEqual([1]);
    consume(staying, { handle: into(heard) });
    // What comes again may come in another order: events carry the version of what they tell.
    await eventually(() => expect([...heard].sort()).toEqual([1, 2, 3, 4, 5]));
    await nothingOpen();
  });
});
