import { AckPolicy, type ConsumerConfig, type JetStreamManager } from 'nats';
import { randomUUID } from 'node:crypto';
import { BusConnection } from '../bus/bus-connection';
import { EventPublisher, type OutgoingEvent } from './event-publisher';
import { eventPrefix, streamOf } from './events';
import { provisionStream } from './stream-provisioning';
import { StreamRoom } from './stream-room';
import { closing } from '../testing/closing';
import { eventually } from '../testing/servers';
import { randomApp, sharedNatsUrl } from '../testing/shop';

const maxBytes = 1_000_000;
const payload = 'x'.repeat(10_000);

let app: string;
let stream: string;
let bus: BusConnection;
let streams: BusConnection;
let manager: JetStreamManager;
let publisher: EventPublisher;
const { closeLater, closeAll } = closing();

beforeEach(async () => {
  app = randomApp();
  stream = streamOf(app);
  bus = closeLater(await BusConnection.open({ app, url: sharedNatsUrl() }));
  streams = closeLater(await bus.openEvents());
  manager = await streams.jetstreamManager();
  publisher = new EventPublisher(bus, { maxBytes });
  await provisionStream(streams, { app, consumers: [] }, { maxBytes });
});

afterEach(async () => {
  await manager.streams.delete(stream).catch(() => undefined);
  await closeAll();
});

const event = (type = 'sold'): OutgoingEvent => ({
  id: randomUUID(),
  subject: `${eventPrefix(app)}.${type}.v1`,
  payload,
});
const someEvents = (count: number, type?: string) => Array.from({ length: count }, () => event(type));

/** Publishes like the relay. @returns the number of published events before none fits */
async function publishUntilHeldBack(atMost: number, by = publisher): Promise<number> {
  let published = 0;
  while (published < atMost) {
    const events = someEvents(Math.min(20, atMost - published));
    const count = await by.countFitting(events);
    if (count === 0) break;
    await by.publish(events.slice(0, count));
    published += count;
  }
  return published;
}

const addConsumer = (durable: string, change: Partial<ConsumerConfig> = {}) =>
  manager.consumers.add(stream, { durable_name: durable, ack_policy: AckPolicy.Explicit, ...change });

/** Receives events. @returns their positions */
async function take(durable: string, count: number, answer: 'ack' | 'none' = 'ack'): Promise<number[]> {
  const consumer = await streams.jetstream().consumers.get(stream, durable);
  const sequences: number[] = [];
  for await (const message of await consumer.fetch({ max_messages: count, expires: 2_000 })) {
    sequences.push(message.seq);
    if (answer === 'ack') await message.ackAck();
  }
  return sequences;
}

// `refresh` ignores events that exceed the age by less than a minute. With this value every event exceeds it by two.
const inTwoMinutes = -120_000;

const stateOf = async () => (await manager.streams.info(stream)).state;
const sequence = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);

describe('EventPublisher.countFitting at the size limit of the stream', () => {
  it('deletes the oldest events when no consumer needs them', async () => {
    expect(await publishUntilHeldBack(300)).toBe(300);
    const { bytes, last_seq: lastSeq } = await stateOf();
    expect(lastSeq).toBe(300);
    expect(bytes).toBeLessThanOrEqual(maxBytes);
    expect(bytes).toBeGreaterThan(maxBytes / 2);
    expect(publisher.fill).toMatchObject({ maxBytes, heldBackBy: undefined });
  });

  it('accepts no event that would delete an unacknowledged event', async () => {
    await addConsumer('slow');
    const published = await publishUntilHeldBack(300);
    expect(published).toBeLessThan(100);
    expect(publisher.fill.heldBackBy).toBe('slow');
    // With the server's own limit the first event would be deleted.
    expect((await stateOf()).first_seq).toBe(1);
    expect(await take('slow', 30)).toEqual(sequence(1, 30));
    const more = await publishUntilHeldBack(300);
    expect(more).toBeGreaterThan(20);
    expect(await take('slow', published + more)).toEqual(sequence(31, published + more));
  });

  it('preserves events that a consumer has received but not acknowledged', async () => {
    await addConsumer('slow', { ack_wait: 1e9 });
    const published = await publishUntilHeldBack(300);
    await take('slow', published, 'none');
    expect(await publisher.countFitting(someEvents(20))).toBe(0);
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    expect(await take('slow', published)).toEqual(sequence(1, published));
    expect(await publisher.countFitting(someEvents(20))).toBeGreaterThan(0);
  });

  it('waits for a declared consumer that does not exist yet', async () => {
    const waiting = new EventPublisher(bus, { maxBytes, consumers: ['late'] });
    const published = await publishUntilHeldBack(300, waiting);
    expect(published).toBeLessThan(100);
    expect(waiting.fill.heldBackBy).toBe('late');
    await addConsumer('late');
    expect(await take('late', published)).toEqual(sequence(1, published));
    await eventually(async () => expect(await waiting.countFitting(someEvents(1))).toBe(1));
  });

  it('does not wait for a consumer that receives other events', async () => {
    await addConsumer('filtered', { filter_subject: `${eventPrefix(app)}.refunded.v1` });
    expect(await publishUntilHeldBack(300)).toBe(300);
    await publisher.publish([event('refunded')]);
    const published = await publishUntilHeldBack(300);
    expect(published).toBeLessThan(100);
    expect(publisher.fill.heldBackBy).toBe('filtered');
    expect(await take('filtered', 1)).toEqual([301]);
    expect(await publishUntilHeldBack(300)).toBe(300);
  });

  it('does not wait for an ephemeral consumer', async () => {
    await manager.consumers.add(stream, { ack_policy: AckPolicy.Explicit });
    expect(await publishUntilHeldBack(300)).toBe(300);
  });

  it('measures the stream again in a publisher that takes over', async () => {
    await addConsumer('slow');
    const other = new EventPublisher(bus, { maxBytes });
    await other.checkStream();
    const published = await publishUntilHeldBack(300);
    await other.checkStream();
    expect(await other.countFitting(someEvents(20))).toBe(0);
    expect(await take('slow', published)).toEqual(sequence(1, published));
  });
});

describe('provisionStream', () => {
  it('waits for the consumers before it lowers the limit below the size of the stream', async () => {
    const lower = () => provisionStream(streams, { app, consumers: [] }, { maxBytes: 300_000 });
    await addConsumer('slow');
    const published = await publishUntilHeldBack(300);
    const smaller = new EventPublisher(bus, { maxBytes: 300_000 });
    expect(await lower()).toMatchObject({ outcome: 'unchanged', isBoundPending: true });
    expect((await smaller.checkStream()).differing).toEqual(['max_bytes']);
    expect((await manager.streams.info(stream)).config.max_bytes).toBe(maxBytes);
    expect(await smaller.countFitting([event()])).toBe(0);
    expect(await take('slow', published)).toEqual(sequence(1, published));
    // The app deletes acknowledged events, so that the limit can be lowered.
    await smaller.checkStream();
    expect(await lower()).toMatchObject({ outcome: 'updated', isBoundPending: false });
    expect((await smaller.checkStream()).differing).toEqual([]);
    expect((await manager.streams.info(stream)).config.max_bytes).toBe(300_000);
    expect((await stateOf()).bytes).toBeLessThanOrEqual(300_000);
    expect(await smaller.countFitting([event()])).toBe(1);
  });
});

describe('StreamRoom.refresh', () => {
  it('deletes old events that every consumer has acknowledged, and keeps all others', async () => {
    const room = new StreamRoom(streams, maxBytes, ['fast', 'slow']);
    await Promise.all([addConsumer('fast'), addConsumer('slow')]);
    await publisher.publish(someEvents(9));
    await take('fast', 9);
    await take('slow', 4);
    await room.refresh(3_600_000);
    expect((await stateOf()).first_seq).toBe(1);
    await room.refresh(inTwoMinutes);
    expect((await stateOf()).first_seq).toBe(5);
    await take('slow', 5);
    await room.refresh(inTwoMinutes);
    expect((await stateOf()).messages).toBe(0);
    await room.refresh(inTwoMinutes);
  });

  it('deletes nothing while a declared consumer does not exist', async () => {
    const room = new StreamRoom(streams, maxBytes, ['missing']);
    await publisher.publish(someEvents(3));
    await room.refresh(inTwoMinutes);
    expect((await stateOf()).messages).toBe(3);
    expect(room.fill.unacknowledged).toMatchObject([{ consumer: 'missing', events: 3 }]);
  });

  it('measures the unacknowledged share of each consumer relative to the usable size', async () => {
    const room = new StreamRoom(streams, maxBytes, ['fast', 'slow']);
    await Promise.all([addConsumer('fast'), addConsumer('slow')]);
    await publisher.publish(someEvents(60));
    await take('fast', 60);
    await take('slow', 20);
    await room.refresh(3_600_000);
    const [fast, slow] = room.fill.unacknowledged;
    expect(fast).toEqual({ consumer: 'fast', events: 0, ratio: 0 });
    expect(slow).toMatchObject({ consumer: 'slow', events: 40 });
    const { bytes } = await stateOf();
    expect(slow!.ratio).toBeCloseTo(((bytes / 60) * 40) / (maxBytes * 0.95), 6);
    // 40 events of 10 kB, relative to one megabyte.
    expect(slow!.ratio).toBeGreaterThan(0.4);
    expect(slow!.ratio).toBeLessThan(0.5);
  });

  it('counts only the events for the consumer, but the bytes of all events after its position', async () => {
    const room = new StreamRoom(streams, maxBytes, ['filtered']);
    await addConsumer('filtered', { filter_subject: `${eventPrefix(app)}.refunded.v1` });
    await publisher.publish([...someEvents(20), event('refunded')]);
    await room.refresh(3_600_000);
    const [waiting] = room.fill.unacknowledged;
    expect(waiting!.events).toBe(1);
    expect(waiting!.ratio).toBeGreaterThan(0.2);
    await take('filtered', 1);
    await room.refresh(3_600_000);
    expect(room.fill.unacknowledged).toEqual([{ consumer: 'filtered', events: 0, ratio: 0 }]);
  });
});
