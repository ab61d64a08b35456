import type { ConsumerInfo, JetStreamManager } from 'nats';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import timers from 'node:timers/promises';
import { BusConnection } from '../bus/bus-connection';
import { ConsumerMissingError, EventConsumer, type ConsumerOptions } from './event-consumer';
import { eventDecoder, InvalidEventError, type EventDecoder } from './event-decoding';
import { EventPublisher } from './event-publisher';
import { eventHeaders, EventVerifier } from './event-signatures';
import { developmentIdentity } from '../bus/service-identity';
import {
  eventPrefix,
  events,
  readEnvelope,
  streamOf,
  subjectOf,
  subjectPattern,
  type EventEnvelope,
} from './events';
import { Amount, Text } from '../declarations/fields';
import { provisionStream } from './stream-provisioning';
import { closing } from '../testing/closing';
import { anEventEnvelope } from '../testing/event-envelope.builder';
import { eventually, openTcpLink, startNats, type NatsServer } from '../testing/servers';
import { gate, randomApp, sharedNatsUrl } from '../testing/shop';
import { signingOf, verifierOf } from '../testing/signed-events';

/** The publishing app and the consuming app. */
let source: string;
let reader: string;
let bus: BusConnection;
let streams: BusConnection;
let publisher: EventPublisher;
let manager: JetStreamManager;
const { closeLater, closeAll } = closing();

beforeEach(async () => {
  [source, reader] = [randomApp(), randomApp()];
  bus = closeLater(await BusConnection.open({ app: source, url: sharedNatsUrl() }));
  publisher = new EventPublisher(bus, { signing: signingOf(source, reader) });
  streams = closeLater(await bus.openEvents());
  manager = await streams.jetstreamManager();
});

afterEach(async () => {
  await manager.streams.delete(streamOf(source)).catch(() => undefined);
  await closeAll();
});

/** Accepts any envelope, because the decoders have their own tests. */
const readAny: EventDecoder = (text, subject) => {
  const event = readEnvelope(text, subject);
  if (event instanceof Error)
    throw new InvalidEventError('unreadable', [{ field: 'event', message: event.message }]);
  return event;
};

/** Creates the stream of the publishing app, with the consumer of the reading app. */
const provision = (by = streams, subject?: string) =>
  provisionStream(by, {
    app: source,
    consumers: [{ name: `${reader}-test`, ...(subject !== undefined && { subject }) }],
  });

type Handling = Partial<ConsumerOptions> & Pick<ConsumerOptions, 'handle'>;

function consume(connection: BusConnection, options: Handling): EventConsumer {
  const onDead = async () => undefined;
  const consumer = new EventConsumer(connection, {
    source,
    purpose: 'test',
    verifier: verifierOf(reader),
    decode: readAny,
    onDead,
    ...options,
  });
  closeLater({ close: () => consumer.stop() });
  consumer.start();
  return consumer;
}

/** Opens a connection of the consuming app. It is closed after the app's consumers. */
async function connect(url = sharedNatsUrl()): Promise<BusConnection> {
  return closeLater(await BusConnection.open({ app: reader, url }));
}

/** Starts a separate server with a connected publisher. */
async function startOwnNats(): Promise<{
  nats: NatsServer;
  publisher: EventPublisher;
  sourceProvision: () => Promise<unknown>;
}> {
  const nats = await startNats();
  closeLater({ close: () => nats.remove() });
  const connection = closeLater(await BusConnection.open({ app: source, url: nats.url }));
  return {
    nats,
    publisher: new EventPublisher(connection, { signing: signingOf(source, reader) }),
    sourceProvision: () => provision(connection),
  };
}

const envelope = (data: unknown) => anEventEnvelope({ data });

type Events = readonly EventEnvelope[];

const into =
  (received: unknown[]) =>
  async (events: Events): Promise<void> =>
    void received.push(...events.map(({ data }) => data));
const isAlone = (events: Events, wanted: unknown): boolean =>
  events.length === 1 && events[0]!.data === wanted;

const publish = (...payloads: string[]): Promise<void> => publishBy(publisher, ...payloads);
const publishBy = (by: EventPublisher, ...payloads: string[]): Promise<void> =>
  by.publish(
    payloads.map((payload) => ({
      id: randomUUID(),
      subject: `${eventPrefix(source)}.good-sold.v1`,
      payload,
    })),
  );
const publishNumbers = (...numbers: number[]): Promise<void> =>
  publish(...numbers.map((number) => JSON.stringify(envelope(number))));

const consumerInfo = (): Promise<ConsumerInfo> => manager.consumers.info(streamOf(source), `${reader}-test`);
const nothingOpen = () =>
  eventually(async () => expect(await consumerInfo()).toMatchObject({ num_pending: 0, num_ack_pending: 0 }));

describe('EventConsumer', () => {
  it('receives all events in order, including those published before it was created', async () => {
    await provision();
    await publishNumbers(1, 2, 3);
    const own = await connect();
    const received: unknown[] = [];
    consume(own, { handle: into(received) });
    await eventually(() => expect(received).toEqual([1, 2, 3]));
    await publishNumbers(4);
    await eventually(() => expect(received).toEqual([1, 2, 3, 4]));
    await nothingOpen();
  });

  it('receives the envelope unchanged', async () => {
    await provision();
    const sent = envelope({ amount: '9007199254740993' });
    const received: EventEnvelope[] = [];
    const own = await connect();
    consume(own, { handle: async (events) => void received.push(...events) });
    await publish(JSON.stringify(sent));
    await eventually(() => expect(received).toEqual([sent]));
  });

  it('receives only the selected type of event, of every aggregate', async () => {
    const { 'good-moved': moved } = events(source, {
      'good-moved': { version: 1, summary: 'Moved', data: Object, isPerAggregate: true },
    });
    await provision(streams, subjectPattern(moved));
    const publishMoved = (aggregateId: string, subject: string, type = 'good-moved') =>
      publisher.publish([
        {
          id: randomUUID(),
          subject,
          payload: JSON.stringify({ ...envelope(aggregateId), type, aggregateId }),
        },
      ]);
    const received: unknown[] = [];
    const dead: string[] = [];
    const own = await connect();
    const onDead = async (_text: string, reason: unknown) => void dead.push((reason as Error).message);
    consume(own, { onDead, handle: into(received) });
    await publishMoved('tea', subjectOf(moved, 'tea'));
    await publishNumbers(1);
    await publishMoved('milk', subjectOf(moved, 'milk'));
    await eventually(() => expect(received).toEqual(['tea', 'milk']));
    await publishMoved('tea', subjectOf(moved, 'milk'));
    await publishMoved('tea', subjectOf(moved, 'tea'), 'good-sold');
    await nothingOpen();
    expect(received).toEqual(['tea', 'milk']);
    const reasonFor = (id: string) =>
      `Invalid unreadable event: event the event does not match its subject, ${moved.subject}.${id}`;
    await eventually(() => expect(dead).toEqual([reasonFor('milk'), reasonFor('tea')]));
  });

  it('dead-letters an invalid event immediately, handles other events and ignores undeclared types', async () => {
    await provision();
    class GoodSold {
      @Text('Which one')
      name: string;
      @Amount('For how much')
      amount: string;
    }
    const declared = events(source, { 'good-sold': { version: 1, summary: 'Sold', data: GoodSold } });
    const [received, dead]: [unknown[], string[]] = [[], []];
    const good = (name: string) => JSON.stringify(envelope({ name, amount: '5' }));
    await publish(
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
      verifier: verifierOf(reader),
      decode: eventDecoder([declared['good-sold']]),
      handle: async (batch) => {
        calls++;
        received.push(...batch.map(({ data }) => data));
      },
      onDead: async (_text, reason) => void dead.push((reason as Error).message),
    });
    closeLater({ close: () => consumer.stop() });
    consumer.start();
    await nothingOpen();
    expect(received).toEqual([
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

  it('resumes at the event where it stopped', async () => {
    await provision();
    const own = await connect();
    const received: unknown[] = [];
    const first = consume(own, { handle: into(received) });
    await publishNumbers(1, 2);
    await nothingOpen();
    await first.stop();
    await publishNumbers(3);
    consume(own, { handle: into(received) });
    await eventually(() => expect(received).toEqual([1, 2, 3]));
  });

  it('dead-letters an event that its source has not signed, and never handles it', async () => {
    await provision();
    const received: unknown[] = [];
    const dead: [string, string][] = [];
    const own = await connect();
    const onDead = async (text: string, reason: unknown) => void dead.push([text, (reason as Error).message]);
    consume(own, { onDead, handle: into(received) });
    const subject = `${eventPrefix(source)}.good-sold.v1`;
    const forged = JSON.stringify(envelope('forged'));
    const data = Buffer.from(forged);
    const genuine = eventHeaders(
      { subject, data: Buffer.from('{}') },
      { signing: signingOf(source, reader) },
    );
    const byAnother = eventHeaders({ subject, data }, { signing: signingOf(reader, reader) });
    const forAnother = eventHeaders({ subject, data }, { signing: signingOf(source, 'gateway') });
    for (const headers of [undefined, genuine, byAnother, forAnother])
      await streams.jetstream().publish(subject, data, { ...(headers && { headers }) });
    await publishNumbers(1);
    await eventually(() => expect(received).toEqual([1]));
    await nothingOpen();
    expect(dead.map(([, reason]) => reason)).toEqual(
      ['unsigned', 'forged', 'notOfPublisher', 'unsigned'].map(
        (reason) => `Rejected event: its signature is ${reason}`,
      ),
    );
    // A retry verifies the signature again.
    for (const [letter] of dead)
      expect(() => verifierOf(reader).readDeadLetter(source, letter)).toThrow('Rejected event');
    const [letter] = dead[0]!;
    const tolerant = new EventVerifier(developmentIdentity(reader), Date.now() + 60_000);
    expect(tolerant.readDeadLetter(source, letter)).toEqual({ text: forged, subject });
    expect(() => tolerant.readDeadLetter(source, dead[1]![0])).toThrow('its signature is forged');
  });

  it('starts before its stream is provisioned, and reports how to provision it', async () => {
    const own = await connect();
    const received: unknown[] = [];
    const errors: unknown[] = [];
    consume(own, {
      handle: into(received),
      onError: (error) => errors.push(error),
    });
    await eventually(() => expect(errors.length).toBeGreaterThan(0));
    expect(errors.every((error) => error instanceof ConsumerMissingError)).toBe(true);
    expect(String(errors[0])).toContain('Run: npm run streams -- apply');
    await provision();
    await publishNumbers(1);
    await eventually(() => expect(received).toEqual([1]));
  });

  it('delivers each event to only one of its replicas', async () => {
    await provision();
    const connections = [await connect(), await connect()];
    const received: unknown[][] = [[], []];
    connections.forEach((connection, index) =>
      consume(connection, {
        handle: async (events) => {
          received[index]!.push(...events.map(({ data }) => data));
          await new Promise(setImmediate);
        },
      }),
    );
    const numbers = Array.from({ length: 300 }, (_, index) => index);
    await publishNumbers(...numbers);
    await eventually(() => expect(received.flat()).toHaveLength(300));
    expect(new Set(received.flat()).size).toBe(300);
    await nothingOpen();
  });
});

describe('EventConsumer when an event fails', () => {
  beforeEach(() => provision());

  it('redelivers the event until it succeeds, without delaying others', async () => {
    const own = await connect();
    const received: unknown[] = [];
    let failures = 0;
    consume(own, {
      handle: async (events) => {
        if (isAlone(events, 'bad') && ++failures <= 3) throw new Error('not now');
        if (events.length > 1 && events.some(({ data }) => data === 'bad')) throw new Error('not together');
        received.push(...events.map(({ data }) => data));
      },
    });
    await publish(...['bad', 'good', 'better'].map((data) => JSON.stringify(envelope(data))));
    await eventually(() => expect(received).toEqual(['good', 'better', 'bad']));
    expect(failures).toBe(4);
    await nothingOpen();
  });

  it('dead-letters the event with its text and the reason after the last attempt', async () => {
    const own = await connect();
    const [dead, received, errors]: [unknown[], unknown[], unknown[]] = [[], [], []];
    const reason = new Error('never');
    consume(own, {
      maxAttempts: 3,
      handle: async (events) => {
        if (events.some(({ data }) => data === 'bad')) throw reason;
        received.push(...events.map(({ data }) => data));
      },
      onDead: async (text, why) => void dead.push([text, why]),
      onError: (error) => errors.push(error),
    });
    const bad = JSON.stringify(envelope('bad'));
    await publish(bad, JSON.stringify(envelope('good')));
    await eventually(() => expect(dead).toEqual([[bad, reason]]));
    // The number of attempts is one higher if the first batch contained both events.
    expect(new Set(errors)).toEqual(new Set([reason]));
    expect([3, 4]).toContain(errors.length);
    expect(received).toEqual(['good']);
    await nothingOpen();
  });

  it.each([
    ['no JSON', '{"id":'],
    ['an empty text', ''],
    ['null', 'null'],
    ['JSON without an id', '{"type":"good-sold"}'],
    ['a NUL', '\0'],
  ])('dead-letters %s immediately', async (_case, poison) => {
    const own = await connect();
    const [dead, received]: [string[], unknown[]] = [[], []];
    consume(own, {
      handle: into(received),
      onDead: async (text) => void dead.push(text),
    });
    await publish(poison, JSON.stringify(envelope('good')));
    await eventually(() => expect(received).toEqual(['good']));
    expect(dead).toEqual([poison]);
    await nothingOpen();
  });

  it('retries when the handler fails to parse other JSON', async () => {
    const own = await connect();
    const dead: unknown[] = [];
    let tries = 0;
    consume(own, {
      handle: async () => {
        if (++tries === 1) JSON.parse('<html>');
      },
      onDead: async (text) => void dead.push(text),
    });
    await publishNumbers(1);
    await eventually(() => expect(tries).toBe(2));
    await nothingOpen();
    expect(dead).toEqual([]);
  });

  it('does not acknowledge an event that it cannot dead-letter', async () => {
    const own = await connect();
    const errors: unknown[] = [];
    const noSpace = new Error('no space');
    consume(own, {
      maxAttempts: 1,
      handle: () => Promise.reject(new Error('never')),
      onDead: () => Promise.reject(noSpace),
      onError: (error) => errors.push(error),
    });
    await publishNumbers(1);
    await eventually(() => expect(errors).toContain(noSpace));
    await bus.nats.flush();
    expect(await consumerInfo()).toMatchObject({ num_ack_pending: 1 });
  });
});

describe('EventConsumer with batches', () => {
  beforeEach(() => provision());

  /** Blocks the first event until further events wait in this process, so that they form one batch. */
  function holdFirst(handle: (events: Events) => Promise<void>): {
    handle: (events: Events) => Promise<void>;
    decode: EventDecoder;
    hold(): Promise<void>;
    release(waiting: number): Promise<void>;
  } {
    const [begun, end] = [gate(), gate()];
    let decoded = 0;
    const decode: EventDecoder = (text, subject) => {
      decoded++;
      return readAny(text, subject);
    };
    const hold = async (): Promise<void> => {
      await publishData(['first']);
      await begun.opened;
    };
    const release = async (waiting: number): Promise<void> => {
      await eventually(() => expect(decoded).toBe(1 + waiting));
      end.open();
    };
    const held = async (events: Events): Promise<void> => {
      if (!isAlone(events, 'first')) return handle(events);
      begun.open();
      return end.opened;
    };
    return { handle: held, decode, hold, release };
  }

  const publishData = (
    data: unknown[],
    change: (event: EventEnvelope) => void = () => undefined,
  ): Promise<void> =>
    publish(
      ...data.map((one) => {
        const event = envelope(one);
        change(event);
        return JSON.stringify(event);
      }),
    );

  it('handles all waiting events in one batch in order, up to 500', async () => {
    const batches: unknown[][] = [];
    const handled: number[] = [];
    const { handle, decode, hold, release } = holdFirst(
      async (events) => void batches.push(events.map(({ data }) => data)),
    );
    consume(await connect(), { handle, decode, onHandled: ({ events }) => handled.push(events) });
    await hold();
    const numbers = Array.from({ length: 700 }, (_, index) => index);
    await publishData(numbers);
    // This process queues at most 500 events.
    await release(500);
    await eventually(() => expect(batches.flat()).toEqual(numbers));
    await nothingOpen();
    expect(Math.max(...batches.map(({ length }) => length))).toBe(500);
    expect(handled).toEqual([1, ...batches.map(({ length }) => length)]);
  });

  it('limits the size of a batch', async () => {
    const batches: number[] = [];
    const { handle, decode, hold, release } = holdFirst(async (events) => void batches.push(events.length));
    consume(await connect(), { handle, decode });
    await hold();
    const large = 'x'.repeat(900_000);
    for (let sent = 0; sent < 10; sent++) await publishData([large]);
    // This process queues at most 5 events of this size.
    await release(5);
    await eventually(() => expect(batches.reduce((sum, length) => sum + length, 0)).toBe(10));
    expect(Math.max(...batches)).toBe(4);
    await nothingOpen();
  });

  it('isolates and dead-letters a failing event, and handles all others once', async () => {
    const [received, dead]: [unknown[], string[]] = [[], []];
    const { handle, decode, hold, release } = holdFirst(async (events) => {
      if (events.some(({ data }) => data === 77)) throw new Error('bad');
      received.push(...events.map(({ data }) => data));
    });
    consume(await connect(), {
      handle,
      decode,
      maxAttempts: 2,
      onDead: async (text) => void dead.push(text),
    });
    await hold();
    await publishData(
      Array.from({ length: 200 }, (_, index) => index),
      (event) => (event.aggregateId = String(event.data)),
    );
    await release(200);
    await eventually(() => expect(dead).toHaveLength(1));
    expect(JSON.parse(dead[0]!)).toMatchObject({ data: 77 });
    await nothingOpen();
    expect(received).toEqual(Array.from({ length: 200 }, (_, index) => index).filter((data) => data !== 77));
  });

  it('returns the events that follow a failed event of the same aggregate together with it', async () => {
    const received: unknown[] = [];
    let failures = 0;
    const { handle, decode, hold, release } = holdFirst(async (events) => {
      if (events.some(({ data }) => data === 'a1') && failures < 3) {
        if (events.length === 1) failures++;
        throw new Error('not now');
      }
      received.push(...events.map(({ data }) => data));
    });
    consume(await connect(), { handle, decode });
    await hold();
    const behind = Array.from({ length: 100 }, (_, index) => `a${index + 2}`);
    await publishData(['a1', 'b1', ...behind, 'b2'], (event) => (event.aggregateId = String(event.data)[0]!));
    await release(3 + behind.length);
    await eventually(() => expect(received).toHaveLength(3 + behind.length));
    expect(received.slice(0, 3)).toEqual(['b1', 'b2', 'a1']);
    expect(received.slice(3).sort()).toEqual([...behind].sort());
    await nothingOpen();
  });

  it('neither splits a batch nor dead-letters an event during an outage', async () => {
    const [sizes, received, dead]: [number[], unknown[], string[]] = [[], [], []];
    let isAway = true;
    const { handle, decode, hold, release } = holdFirst(async (events) => {
      sizes.push(events.length);
      if (isAway) throw new Error('away');
      received.push(...events.map(({ data }) => data));
    });
    const isOutage = (error: unknown): boolean => (error as Error).message === 'away';
    consume(await connect(), {
      handle,
      decode,
      isOutage,
      maxAttempts: 1,
      onDead: async (text) => void dead.push(text),
    });
    await hold();
    await publishData([1, 2, 3, 4]);
    await release(4);
    await eventually(() => expect(sizes.length).toBeGreaterThan(1));
    expect(sizes[0]).toBe(4);
    isAway = false;
    await eventually(() => expect([...received].sort()).toEqual([1, 2, 3, 4]));
    await nothingOpen();
    expect(dead).toEqual([]);
  });

  it('dead-letters an event that always times out, and handles the others', async () => {
    const [received, dead]: [unknown[], string[]] = [[], []];
    const { handle, decode, hold, release } = holdFirst(async (events) => {
      if (events.some(({ data }) => data === 'slow')) throw new Error('out of time');
      received.push(...events.map(({ data }) => data));
    });
    consume(await connect(), {
      handle,
      decode,
      isOutage: () => true,
      maxAttempts: 1,
      onDead: async (text) => void dead.push(text),
    });
    await hold();
    await publishData([1, 'slow', 2]);
    await release(3);
    await eventually(
      async () => {
        await publishData([3]);
        expect(dead).toHaveLength(1);
      },
      { everyMs: 200 },
    );
    await nothingOpen();
    expect(received).toEqual(expect.arrayContaining([1, 2, 3]));
  });
});

describe('EventConsumer after an outage', () => {
  it('continues after a lost connection', async () => {
    await provision();
    const link = closeLater(await openTcpLink(sharedNatsUrl()));
    const own = await connect(link.url.replace('http', 'nats'));
    const received = new Set<unknown>();
    consume(own, { handle: async (events) => events.forEach(({ data }) => received.add(data)) });
    await publishNumbers(1);
    await eventually(() => expect(received).toEqual(new Set([1])));
    await link.cut();
    await eventually(() => expect(own.isConnected).toBe(false));
    await publishNumbers(2);
    await link.mend();
    await eventually(() => expect(received).toEqual(new Set([1, 2])));
  });

  it('continues after a server restart', async () => {
    const { nats, publisher: sourcePublisher, sourceProvision } = await startOwnNats();
    await sourceProvision();
    const own = await connect(nats.url);
    const received: unknown[] = [];
    consume(own, { handle: into(received) });
    await publishBy(sourcePublisher, JSON.stringify(envelope(1)));
    await eventually(() => expect(received).toEqual([1]));
    await nats.stop('SIGKILL');
    await nats.start();
    await eventually(() => publishBy(sourcePublisher, JSON.stringify(envelope(2))));
    await eventually(() => expect(received).toContain(2));
  });

  it('reads a recreated stream from its beginning', async () => {
    await provision();
    const own = await connect();
    const received: unknown[] = [];
    consume(own, { handle: into(received) });
    await publishNumbers(1);
    await eventually(() => expect(received).toEqual([1]));
    await manager.streams.delete(streamOf(source));
    await provision();
    await publishNumbers(1, 2);
    await eventually(() => expect(received).toEqual([1, 1, 2]));
  });

  it('reads the new stream from its beginning after the server has lost its storage', async () => {
    const { nats, publisher: sourcePublisher, sourceProvision } = await startOwnNats();
    await sourceProvision();
    const own = await connect(nats.url);
    const received: unknown[] = [];
    consume(own, { handle: into(received) });
    await publishBy(sourcePublisher, JSON.stringify(envelope(1)));
    await eventually(() => expect(received).toEqual([1]));
    await nats.stop('SIGKILL');
    nats.loseStorage();
    await nats.start();
    await eventually(() => sourceProvision());
    await publishBy(sourcePublisher, JSON.stringify(envelope(1)), JSON.stringify(envelope(2)));
    await eventually(() => expect(received).toEqual([1, 1, 2]));
  });
});

describe('EventConsumer.stop', () => {
  const timed = async (work: Promise<unknown>): Promise<number> => {
    const startMs = performance.now();
    await work;
    return performance.now() - startMs;
  };

  it.each([
    ['has just started', async () => undefined],
    ['has nothing to do', () => eventually(consumerInfo)],
  ])('stops immediately when it %s', async (_case, wait) => {
    await provision();
    const own = await connect();
    const consumer = consume(own, { handle: async () => undefined });
    await wait();
    // An uninterrupted pull takes five seconds.
    expect(await timed(consumer.stop())).toBeLessThan(4_000);
  });

  it('stops immediately while it waits for its stream', async () => {
    const own = await connect();
    const errors: unknown[] = [];
    // The pause between two attempts ends only with the stop in this test.
    const pauses = jest
      .spyOn(timers, 'setTimeout')
      .mockImplementation(
        async (_delay, value, options) => (await once(options!.signal!, 'abort')) && value!,
      );
    const consumer = consume(own, { handle: async () => undefined, onError: (error) => errors.push(error) });
    await eventually(() => expect(pauses).toHaveBeenCalledTimes(1));
    await consumer.stop();
    pauses.mockRestore();
    expect(errors).toHaveLength(1);
  });

  it('finishes the current event, and releases waiting events immediately', async () => {
    await provision();
    const [leaving, staying] = [await connect(), await connect()];
    const [begun, end] = [gate(), gate()];
    const received: unknown[] = [];
    const first = consume(leaving, {
      handle: async (events) => {
        begun.open();
        await end.opened;
        received.push(...events.map(({ data }) => data));
      },
    });
    await publishNumbers(1);
    await begun.opened;
    await publishNumbers(2, 3, 4, 5);
    await eventually(async () => expect((await consumerInfo()).num_ack_pending).toBe(5));
    const stopping = first.stop();
    end.open();
    await stopping;
    expect(received).toEqual([1]);
    consume(staying, { handle: into(received) });
    // Redelivered events may arrive in another order. Consumers compare the version of the aggregate.
    await eventually(() => expect([...received].sort()).toEqual([1, 2, 3, 4, 5]));
    await nothingOpen();
  });
});
