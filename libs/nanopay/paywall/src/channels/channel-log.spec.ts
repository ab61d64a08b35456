import { randomBytes } from 'node:crypto';
import { Channel } from './channel';
import { ChannelLog } from './channel-log';
import { readRecords, RecordWriter } from './channel-records';

const channelWith = (changes: Partial<Channel> = {}): Channel =>
  new Channel({
    id: 'ab'.repeat(16),
    digest: randomBytes(32),
    callKey: randomBytes(16),
    payer: `0:${'11'.repeat(32)}`,
    seller: `0:${'22'.repeat(32)}`,
    unitAtomic: 2n ** 40n,
    length: 1_000,
    index: 3,
    link: randomBytes(32),
    lastUnits: 2,
    lastFor: randomBytes(8),
    isLastRepeated: true,
    refunded: 1,
    settledIndex: 2,
    settledUnits: 1,
    endMs: 1_800_000_000_123,
    isClosing: false,
    ...changes,
  });

/** The stored bytes of a channel. */
function storedOf(channel: Channel | undefined): string {
  const records = new RecordWriter();
  records.channel(channel!);
  return records.take().toString('hex');
}

/** A store that completes its writes only when the test releases them. */
class SlowStore {
  batches: Buffer[] = [];
  failure: Error | undefined;
  private waiting: (() => void)[] = [];
  append = async (batch: Uint8Array): Promise<void> => {
    await new Promise<void>((resolve) => this.waiting.push(resolve));
    if (this.failure) throw this.failure;
    this.batches.push(Buffer.from(batch));
  };
  replace = async (batch: Uint8Array): Promise<void> => {
    if (this.failure) throw this.failure;
    this.batches = [Buffer.from(batch)];
  };
  open = async (): Promise<void> => undefined;
  takeOver = async (): Promise<[]> => [];
  close = async (): Promise<void> => undefined;
  async release(): Promise<void> {
    await new Promise(setImmediate);
    for (const resolve of this.waiting.splice(0)) resolve();
    await new Promise(setImmediate);
  }
}

// Close every log, because a log that cannot be written retries until it is closed.
const logs: ChannelLog[] = [];
afterEach(() => Promise.all(logs.splice(0).map((log) => log.close())));

function logOf(maxBytes = 10_000, channels: Channel[] = []) {
  const [store, failures] = [new SlowStore(), [] as unknown[]];
  let recoveries = 0;
  const snapshot = (records: RecordWriter): void => channels.forEach((channel) => records.channel(channel));
  const log = new ChannelLog(store, maxBytes, snapshot, {
    failed: (error) => void failures.push(error),
    recovered: () => void recoveries++,
  });
  logs.push(log);
  return { store, failures, log, recoveries: () => recoveries };
}

describe('ChannelLog', () => {
  it('writes the records of one turn as one batch, and records that arrive during the write as the next batch', async () => {
    const { store, log } = logOf();
    const channel = channelWith();
    log.records.channel(channel);
    const first = [log.written(), log.written()];
    await new Promise(setImmediate);
    log.records.refund(channel);
    let isSecondWritten = false;
    const second = log.written().then(() => (isSecondWritten = true));
    await store.release();
    await Promise.all(first);
    expect([store.batches.length, isSecondWritten]).toEqual([1, false]);
    await store.release();
    await second;
    expect(store.batches).toHaveLength(2);
  });

  it('restores a channel exactly as it was written', async () => {
    const { store, log } = logOf();
    const channel = channelWith();
    log.records.owner('0123456789abcdef', Buffer.alloc(32, 7));
    log.records.channel(channel);
    channel.index = 5;
    channel.link = randomBytes(32);
    channel.isLastRepeated = false;
    log.records.link(channel);
    channel.refunded = 4;
    log.records.refund(channel);
    channel.settledIndex = 4;
    channel.endMs += 7;
    log.records.settled(channel);
    channel.isLastRepeated = true;
    log.records.repeated(channel);
    channel.isClosing = true;
    log.records.closing(channel);
    const written = log.written();
    await store.release();
    await written;
    const { owners, channels } = readRecords(store.batches);
    expect(owners).toEqual(new Map([['0123456789abcdef', Buffer.alloc(32, 7)]]));
    expect(storedOf(channels.get(channel.id))).toEqual(storedOf(channel));
  });

  it('replaces a long log by a snapshot, which may be ahead of the records after it', async () => {
    const channel = channelWith({ index: 0, isLastRepeated: false });
    const { store, log } = logOf(300, [channel]);
    log.records.channel(channel);
    for (let index = 1; index <= 20; index++) {
      channel.index = index;
      channel.link = Buffer.alloc(32, index);
      log.records.link(channel);
      const written = log.written();
      await store.release();
      await written;
    }
    await store.release();
    expect(store.batches.length).toBeLessThan(6);
    expect(storedOf(readRecords(store.batches).channels.get(channel.id))).toEqual(storedOf(channel));
  });

  it('rejects waiting writes after a failure, and continues after a snapshot of the whole state', async () => {
    const channel = channelWith({ index: 0, isLastRepeated: false });
    const { store, failures, log, recoveries } = logOf(10_000, [channel]);
    store.failure = new Error('No space left on device');
    log.records.channel(channelWith());
    const first = log.written();
    await new Promise(setImmediate);
    log.records.channel(channelWith());
    const second = log.written();
    await store.release();
    await expect(first).rejects.toThrow('cannot be written');
    await expect(second).rejects.toThrow('cannot be written');
    await expect(log.written()).rejects.toThrow('cannot be written');
    expect([store.batches, log.hasFailed, failures.length]).toEqual([[], true, 1]);
    // Wait until the first attempt of the recovery has failed.
    await new Promise((resolve) => setTimeout(resolve, 150));
    expect(recoveries()).toBe(0);
    store.failure = undefined;
    while (log.hasFailed) await new Promise((resolve) => setTimeout(resolve, 10));
    expect([recoveries(), failures.length, store.batches.length]).toEqual([1, 1, 1]);
    channel.index = 1;
    log.records.link(channel);
    const written = log.written();
    await store.release();
    await written;
    expect(storedOf(readRecords(store.batches).channels.get(channel.id))).toEqual(storedOf(channel));
  });

  it('does not replace a log after it was closed', async () => {
    const { store, log, recoveries } = logOf();
    store.failure = new Error('No space left on device');
    const written = log.written();
    await store.release();
    await expect(written).rejects.toThrow('cannot be written');
    await log.close();
    store.failure = undefined;
    await new Promise((resolve) => setTimeout(resolve, 150));
    expect([recoveries(), store.batches]).toEqual([0, []]);
  });

  it('rejects records of another version', () => {
    const records = new RecordWriter();
    records.closed(channelWith());
    const batch = records.take();
    expect(readRecords([batch]).channels.size).toBe(0);
    expect(() => readRecords([batch.subarray(0, 5)])).toThrow(RangeError);
    batch[0] = 99;
    expect(() => readRecords([batch])).toThrow(RangeError);
  });
});
