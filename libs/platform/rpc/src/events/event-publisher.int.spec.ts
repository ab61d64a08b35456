import { DiscardPolicy, RetentionPolicy, StorageType, type JetStreamManager, type StreamConfig } from 'nats';
import { randomUUID } from 'node:crypto';
import { BusConnection } from '../bus/bus-connection';
import { EventPublisher, type OutgoingEvent } from './event-publisher';
import { eventPrefix, streamOf } from './events';
import {
  IncompatibleStreamError,
  provisionStream,
  StreamRejectedError,
  type StreamBounds,
} from './stream-provisioning';
import { closing } from '../testing/closing';
import { startNats } from '../testing/servers';
import { randomApp, sharedNatsUrl } from '../testing/shop';

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
  publisher = new EventPublisher(bus);
});

afterEach(async () => {
  await manager.streams.delete(stream).catch(() => undefined);
  await closeAll();
});

const provision = (bounds: StreamBounds = {}, by = streams) =>
  provisionStream(by, { app, consumers: [{ name: 'reader' }] }, bounds);

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

describe('provisionStream', () => {
  it('creates a missing stream with its consumers', async () => {
    const subject = `${eventPrefix(app)}.sold.v1`;
    const consumers = [{ name: 'all' }, { name: 'sold', subject }];
    const provisioned = await provisionStream(streams, { app, consumers });
    const { config, created } = await manager.streams.info(stream);
    expect(provisioned).toEqual({
      name: stream,
      createdAt: created,
      outcome: 'created',
      isBoundPending: false,
    });
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
    const found = await Promise.all(consumers.map(({ name }) => manager.consumers.info(stream, name)));
    expect(found.map((info) => info.config)).toMatchObject([
      { ack_policy: 'explicit', deliver_policy: 'all', ack_wait: 60e9, max_ack_pending: 2_500 },
      { ack_policy: 'explicit', deliver_policy: 'all', filter_subject: subject },
    ]);
    expect(found[0]!.config.filter_subject).toBeUndefined();
  });

  it('adds the size limit to a stream without one, and keeps all events', async () => {
    await manager.streams.add({ name: stream, subjects: [`${eventPrefix(app)}.>`], max_bytes: -1 });
    await publisher.publish([event('before')]);
    expect(await provision({ maxBytes: 1_000_000 })).toMatchObject({ outcome: 'updated' });
    expect((await manager.streams.info(stream)).config).toMatchObject({
      max_bytes: 1_000_000,
      discard: DiscardPolicy.Old,
    });
    expect(await stored()).toEqual(['before']);
  });

  it('changes nothing when everything is up to date', async () => {
    const { createdAt } = await provision();
    await publisher.publish([event()]);
    const update = jest.spyOn(Object.getPrototypeOf(manager.streams) as typeof manager.streams, 'update');
    expect(await provision()).toMatchObject({ createdAt, outcome: 'unchanged' });
    expect(update).not.toHaveBeenCalled();
    update.mockRestore();
    expect(await stored()).toHaveLength(1);
  });

  it('creates one stream when several provisioners run concurrently', async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => provision()));
    expect(new Set(answers.map(({ createdAt }) => createdAt)).size).toBe(1);
  });

  it.each([
    ['stores ten messages', { max_msgs: 10 }],
    ['stores a kilobyte', { max_bytes: 1024 }],
    ['accepts only tiny messages', { max_msg_size: 10 }],
    ['stores one message of a subject', { max_msgs_per_subject: 1 }],
    ['expires messages after a minute', { max_age: 60 * 1e9, duplicate_window: 1e9 }],
    ['confirms no message', { no_ack: true }],
    ['rejects new messages when it is full', { discard: DiscardPolicy.New }],
    ['accepts other subjects', { subjects: [`other.${randomApp()}.>`] }],
  ])('restores a stream that was changed so that it %s', async (_case, change) => {
    const { createdAt } = await provision();
    const before = (await manager.streams.info(stream)).config;
    await manager.streams.update(stream, change);
    expect((await publisher.checkStream()).differing).toEqual(expect.arrayContaining(Object.keys(change)));
    expect(await provision()).toMatchObject({ createdAt, outcome: 'updated' });
    expect((await manager.streams.info(stream)).config).toEqual(before);
    expect((await publisher.checkStream()).differing).toEqual([]);
    await publisher.publish([event()]);
  });

  it('updates the limits of a consumer that an earlier release created', async () => {
    await provision();
    const { config } = await manager.consumers.info(stream, 'reader');
    await manager.consumers.update(stream, 'reader', { ack_wait: 1e9, max_ack_pending: 1 });
    await provision();
    expect((await manager.consumers.info(stream, 'reader')).config).toEqual(config);
  });

  it.each([
    ['memory/limits', { storage: StorageType.Memory }],
    ['file/workqueue', { retention: RetentionPolicy.Workqueue }],
  ])('rejects a stream that was recreated as %s, and reports the repair', async (found, change) => {
    await manager.streams.add({ name: stream, subjects: [`${eventPrefix(app)}.>`], ...change });
    for (const failure of [provision(), publisher.checkStream()]) {
      await expect(failure).rejects.toThrow(IncompatibleStreamError);
      await expect(failure).rejects.toThrow(
        `the stream ${stream} was changed by hand to ${found}. Run: npm run streams -- delete --yes`,
      );
    }
  });

  it('disables the deletion by age that an earlier release configured', async () => {
    await manager.streams.add({ name: stream, subjects: [`${eventPrefix(app)}.>`], max_age: 3_600 * 1e9 });
    await provision();
    expect((await manager.streams.info(stream)).config.max_age).toBe(0);
  });

  it('rejects replicas on a server without a cluster, and reports the setting', async () => {
    const failure = provision({ replicas: 3 });
    await expect(failure).rejects.toThrow(StreamRejectedError);
    await expect(failure).rejects.toThrow(
      `NATS rejects the stream ${stream} with 3 replicas and 268435456 bytes: the server is not part of a cluster. Change ${stream}_STREAM_REPLICAS`,
    );
  });

  it('rejects a sealed stream', async () => {
    await provision();
    await manager.streams.update(stream, { sealed: true } as Partial<StreamConfig>);
    await expect(provision()).rejects.toThrow('changed by hand to sealed');
  });
});

describe('EventPublisher.checkStream', () => {
  it('creates no stream, and reports how to provision it', async () => {
    await expect(publisher.checkStream()).rejects.toThrow(
      `the event stream ${stream} does not exist. Run: npm run streams -- apply`,
    );
    await expect(manager.streams.info(stream)).rejects.toThrow('stream not found');
  });

  it('changes no option of the stream, and reports options that differ from the settings', async () => {
    const { createdAt } = await provision();
    await manager.streams.update(stream, { max_msgs: 10 });
    const replicated = new EventPublisher(bus, { replicas: 3, maxBytes: 1_000_000 });
    expect(await replicated.checkStream()).toEqual({
      createdAt,
      differing: ['max_msgs', 'max_bytes', 'num_replicas'],
    });
    expect((await manager.streams.info(stream)).config.max_msgs).toBe(10);
  });

  it('returns another creation time for a recreated stream', async () => {
    await provision();
    const first = await publisher.checkStream();
    await manager.streams.delete(stream);
    await provision();
    expect((await publisher.checkStream()).createdAt).not.toBe(first.createdAt);
  });

  it('finds the stream and its content after a server was killed', async () => {
    const nats = await startNats();
    closeLater({ close: () => nats.remove() });
    const connection = closeLater(await BusConnection.open({ app, url: nats.url }));
    const own = new EventPublisher(connection);
    const { createdAt } = await provision({}, connection);
    const sent = event('{"n":1}');
    await own.publish([sent]);
    await nats.stop('SIGKILL');
    await nats.start();
    const again = closeLater(await BusConnection.open({ app, url: nats.url }));
    const after = new EventPublisher(again);
    expect(await after.checkStream()).toEqual({ createdAt, differing: [] });
    // The server still deduplicates by event id.
    await after.publish([sent]);
    const info = await (await again.jetstreamManager()).streams.info(stream);
    expect(info.state.messages).toBe(1);
  });
});

describe('EventPublisher.publish', () => {
  beforeEach(async () => {
    await provision();
  });

  it('stores events in order', async () => {
    const events = Array.from({ length: 500 }, (_, index) => event(`{"n":${index}}`));
    await publisher.publish(events);
    expect(await stored()).toEqual(events.map(({ payload }) => payload));
  });

  it('stores an id once, even if it is published again with other events', async () => {
    const [first, second, third] = [event('1'), event('2'), event('3')];
    await publisher.publish([first, second]);
    await publisher.publish([first, second, third]);
    expect(await stored()).toEqual(['1', '2', '3']);
  });

  it('fails when the server has not stored every event', async () => {
    await manager.streams.delete(stream);
    await expect(publisher.publish([event()])).rejects.toMatchObject({ code: '503' });
  });

  it('fails for an event that does not fit into a message, and stores the others', async () => {
    const events = [event('1'), event('x'.repeat(1_100_000)), event('3')];
    await expect(publisher.publish(events)).rejects.toMatchObject({ code: 'MAX_PAYLOAD_EXCEEDED' });
    expect(await stored()).toEqual(['1', '3']);
  });
});
