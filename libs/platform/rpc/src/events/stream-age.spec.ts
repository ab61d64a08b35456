import type { JetStreamManager, StreamInfo } from 'nats';
import { expireMessages, firstNewer } from './stream-age';

describe('firstNewer', () => {
  it.each([
    [1, 1, 0],
    [1, 1, 1],
    [7, 20, 6],
    [7, 20, 7],
    [7, 20, 13],
    [7, 20, 20],
    [1, 1_000_000, 654_321],
  ])(
    'finds the end of the old messages from %i to %i when the last old one is %i',
    async (first, last, lastOld) => {
      let asked = 0;
      const found = await firstNewer(first, last, async (seq) => {
        asked++;
        expect(seq >= first && seq <= last).toBe(true);
        return seq <= lastOld;
      });
      expect(found).toBe(lastOld + 1);
      expect(asked).toBeLessThanOrEqual(Math.ceil(Math.log2(last - first + 2)));
    },
  );
});

describe('expireMessages', () => {
  const minute = 60_000;
  const info = (state: object) => ({ config: { name: 'S' }, state }) as unknown as StreamInfo;

  /** Message `n` was stored in minute `n`. */
  function managerOf() {
    const purge = jest.fn(async () => ({ purged: 1 }));
    const getMessage = jest.fn(async (_stream: string, { seq }: { seq: number }) => ({
      time: new Date(seq * minute),
    }));
    return { purge, getMessage, manager: { streams: { purge, getMessage } } as unknown as JetStreamManager };
  }
  const state = { first_seq: 10, messages: 90, first_ts: new Date(10 * minute).toISOString() };

  it('deletes up to the first message that is new enough', async () => {
    const { manager, purge } = managerOf();
    await expireMessages(manager, info(state), { beforeMs: 40 * minute, lastSeq: 99 });
    expect(purge).toHaveBeenCalledWith('S', { seq: 40 });
  });

  it('deletes no message after the last one that may be deleted', async () => {
    const { manager, purge } = managerOf();
    await expireMessages(manager, info(state), { beforeMs: 40 * minute, lastSeq: 20 });
    expect(purge).toHaveBeenCalledWith('S', { seq: 21 });
  });

  it.each([
    ['the oldest message is only slightly too old', state, { beforeMs: 10.9 * minute, lastSeq: 99 }],
    ['the oldest message must stay', state, { beforeMs: 40 * minute, lastSeq: 9 }],
    ['the stream is empty', { ...state, messages: 0 }, { beforeMs: 40 * minute, lastSeq: 99 }],
  ])('reads no message when %s', async (_case, given, expiry) => {
    const { manager, purge, getMessage } = managerOf();
    expect(await expireMessages(manager, info(given), expiry)).toBe(0);
    expect(getMessage).not.toHaveBeenCalled();
    expect(purge).not.toHaveBeenCalled();
  });
});
