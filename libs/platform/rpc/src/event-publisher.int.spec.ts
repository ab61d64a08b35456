import { DiscardPolicy, RetentionPolicy, StorageType, type JetStreamManager, type StreamConfig } from 'nats';
import { randomUUID } from 'node:crypto';
import { BusConnection } from './bus-connection';
import {
  EventPublisher,
  IncompatibleStreamError,
  StreamRejectedError,
  type OutgoingEvent,
} from './event-publisher';
import { eventPrefix, streamOf } from './events';
import { closing } from './testing/closing';
import { startNats } from './testing/servers';
import { randomApp, sharedNatsUrl } from './testing/shop';

let app: string;
let stream: string;
let bus: BusConnection;
let manager: JetStreamManager;
let publisher: EventPublisher;
const { closeLater, closeAll } = closing();

beforeEach(async () => {
  app = randomApp();
  stream = streamOf(app);
  bus = closeLater(await BusConnection.open({ app, url: sharedNatsUrl() }));
  manager = await bus.nats.jetstreamManager();
  publisher = new EventPublisher(bus);
});

afterEach(async () => {
  await manager.streams.delete(stream).catch(() => undefined);
  await closeAll();
});

const event = (payload = '{}'): OutgoingEvent => ({
  id: randomUUID(),
  subject: `${eventPrefix(app)}.good-sold.v1`,
  payload,
});

async function stored(): Promise<string[]> {
  const { state } = await manager.streams.info(stream);
  const sequences = Array.from({ length: state.messages }, (_, index) => state.first_seq + index);
  return Promise.all(
    sequences.map(async (seq) => (await manager.streams.getMessage(stream, { seq })).string()),
  );
}

describe('EventPublisher.ensureStream', () => {
  it('creates a missing stream', async () => {
    const { createdAt } = await publisher.ensureStream();
    const { config, created } = await manager.streams.info(stream);
    expect(createdAt).toBe(created);
    expect(config).toMatchObject({
      subjects: [`events.${app}.>`],
      retention: RetentionPolicy.Limits,
      storage: StorageType.File,
      discard: DiscardPolicy.Old,
      max_age: 0,
      num_replicas: 1,
      max_msgs: -1,
      max_bytes: 256 * 2 ** 20,
      duplicate_window: 120 * 1e9,
    });
  });

  it('adds the bound to a stream without one', async () => {
    await manager.streams.add({ name: stream, subjects: [`${eventPrefix(app)}.>`], max_bytes: -1 });
    const { created } = await manager.streams.info(stream);
    await publisher.publish([event('before')]);
    const bounded = new EventPublisher(bus, { maxBytes: 1_000_000 });
    expect(await bounded.ensureStream()).toEqual({ createdAt: created });
    expect((await manager.streams.info(stream)).config).toMatchObject({
      max_bytes: 1_000_000,
      discard: DiscardPolicy.Old,
    });
    expect(await stored()).toEqual(['before']);
  });

  it('does not update a stream with the right configuration', async () => {
    const { createdAt } = await publisher.ensureStream();
    await publisher.publish([event()]);
    const update = jest.spyOn(Object.getPrototypeOf(manager.streams) as typeof manager.streams, 'update');
    expect(await publisher.ensureStream()).toEqual({ createdAt });
    expect(update).not.toHaveBeenCalled();
    update.mockRestore();
    expect(await stored()).toHaveLength(1);
  });

  it('creates one stream for replicas that start together', async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => publisher.ensureStream()));
    expect(new Set(answers.map(({ createdAt }) => createdAt)).size).toBe(1);
  });

  it.each([
    ['stores ten messages', { max_msgs: 10 }],
    ['stores a kilobyte', { max_bytes: 1024 }],
    ['accepts tiny messages only', { max_msg_size: 10 }],
    ['stores one message of a subject', { max_msgs_per_subject: 1 }],
    ['expires messages after a minute', { max_age: 60 * 1e9, duplicate_window: 1e9 }],
    ['confirms no message', { no_ack: true }],
    ['rejects new messages when it is full', { discard: DiscardPolicy.New }],
    ['accepts other subjects', { subjects: [`other.${randomApp()}.>`] }],
  ])('restores a stream that was changed so that it %s', async (_case, change) => {
    const { createdAt } = await publisher.ensureStream();
    const before = (await manager.streams.info(stream)).config;
    await manager.streams.update(stream, change);
    expect(await publisher.ensureStream()).toEqual({ createdAt });
    expect((await manager.streams.info(stream)).config).toEqual(before);
    await publisher.publish([event()]);
  });

  it.each([
    ['memory/limits', { storage: StorageType.Memory }],
    ['file/workqueue', { retention: RetentionPolicy.Workqueue }],
  ])('rejects a stream that was recreated as %s, and says what to do', async (found, change) => {
    await manager.streams.add({ name: stream, subjects: [`${eventPrefix(app)}.>`], ...change });
    const failure = publisher.ensureStream();
    await expect(failure).rejects.toThrow(IncompatibleStreamError);
    await expect(failure).rejects.toThrow(
      `the stream ${stream} was changed by hand to ${found}. Delete it: the app rebuilds it from the outbox`,
    );
  });

  it('lets NATS delete nothing by age where an earlier release did', async () => {
    await manager.streams.add({ name: stream, subjects: [`${eventPrefix(app)}.>`], max_age: 3_600 * 1e9 });
    await publisher.ensureStream();
    expect((await manager.streams.info(stream)).config.max_age).toBe(0);
  });

  it('rejects replicas on a server without a cluster, and names the setting', async () => {
    const replicated = new EventPublisher(bus, { replicas: 3 });
    await expect(replicated.checkStream()).rejects.toThrow(StreamRejectedError);
    await expect(replicated.ensureStream()).rejects.toThrow(
      `NATS rejects the stream ${stream} with 3 replicas and 268435456 bytes: replicas > 1 not supported in non-clustered mode. Change ${stream}_STREAM_REPLICAS`,
    );
  });

  it('uses an existing stream when NATS rejects a change, and applies the other changes', async () => {
    const { createdAt } = await publisher.ensureStream();
    const wishing = new EventPublisher(bus, { replicas: 3, maxBytes: 1_000_000 });
    const ensured = await wishing.ensureStream();
    expect(ensured).toEqual({ createdAt, rejection: expect.any(StreamRejectedError) });
    expect((await manager.streams.info(stream)).config).toMatchObject({
      max_bytes: 1_000_000,
      num_replicas: 1,
    });
    await wishing.publish([event('1')]);
    expect(await stored()).toEqual(['1']);
  });

  it('leaves the stream unchanged in checkStream', async () => {
    await publisher.checkStream();
    await expect(manager.streams.info(stream)).rejects.toThrow('stream not found');
    await publisher.ensureStream();
    await manager.streams.update(stream, { max_msgs: 10 });
    await publisher.checkStream();
    expect((await manager.streams.info(stream)).config.max_msgs).toBe(10);
    await manager.streams.delete(stream);
    await manager.streams.add({
      name: stream,
      subjects: [`${eventPrefix(app)}.>`],
      storage: StorageType.Memory,
    });
    await expect(publisher.checkStream()).rejects.toThrow(IncompatibleStreamError);
  });

  it('rejects a sealed stream', async () => {
    await publisher.ensureStream();
    await manager.streams.update(stream, { sealed: true } as Partial<StreamConfig>);
    await expect(publisher.ensureStream()).rejects.toThrow('changed by hand to sealed');
  });

  it('returns another creation time for a recreated stream', async () => {
    const first = await publisher.ensureStream();
    await manager.streams.delete(stream);
    expect((await publisher.ensureStream()).createdAt).not.toBe(first.createdAt);
  });

  it('finds the stream and its content after a server was killed', async () => {
    const nats = await startNats();
    closeLater({ close: () => nats.remove() });
    const connection = closeLater(await BusConnection.open({ app, url: nats.url }));
    const own = new EventPublisher(connection);
    const { createdAt } = await own.ensureStream();
    const sent = event('{"n":1}');
    await own.publish([sent]);
    await nats.stop('SIGKILL');
    await nats.start();
    const again = closeLater(await BusConnection.open({ app, url: nats.url }));
    const after = new EventPublisher(again);
    expect(await after.ensureStream()).toEqual({ createdAt });
    // The server still deduplicates by the id.
    await after.publish([sent]);
    const info = await (await again.nats.jetstreamManager()).streams.info(stream);
    expect(info.state.messages).toBe(1);
  });
});

describe('EventPublisher.publish', () => {
  beforeEach(async () => {
    await publisher.ensureStream();
  });

  it('stores events in order', async () => {
    const events = Array.from({ length: 500 }, (_, index) => event(`{"n":${index}}`));
    await publisher.publish(events);
    expect(await stored()).toEqual(events.map(({ payload }) => payload));
  });

  it('stores an id once, even if it is sent again with other events', async () => {
    const [first, second, third] = [event('1'), event('2'), event('3')];
    await publisher.publish([first, second]);
    await publisher.publish([first, second, third]);
    expect(await stored()).toEqual(['1', '2', '3']);
  });

  it('fails when the server has not stored every event', async () => {
    await manager.streams.delete(stream);
    await expect(publisher.publish([event()])).rejects.toMatchObject({ code: '503' });
  });

  it('fails for an event that no message can carry, and stores the others', async () => {
    const events = [event('1'), event('x'.repeat(1_100_000)), event('3')];
    await expect(publisher.publish(events)).rejects.toMatchObject({ code: 'MAX_PAYLOAD_EXCEEDED' });
    expect(await stored()).toEqual(['1', '3']);
  });
});
