import { newestBefore } from './block-by-time';
import type { EvmReads } from './evm-reads';
import type { EvmRpc } from './rpc-pool';

// Two blocks share a second, as on fast chains.
const times = [100, 102, 102, 104, 110, 111];
const block = (height: number) => ({ height, hash: `h${height}`, parentHash: '', timestamp: times[height]! });

function rpcOf(asked: number[] = []): Pick<EvmRpc, 'pinned'> {
  const reads = {
    head: async () => block(times.length - 1),
    blockByNumber: async (height: number) => (asked.push(height), block(height)),
  } as Partial<EvmReads> as EvmReads;
  return { pinned: (work) => work(reads) };
}

describe('newestBefore', () => {
  it.each([
    [99, 0, undefined],
    [100, 0, 0],
    [101, 0, 0],
    [102, 0, 2],
    [103, 0, 2],
    [109.5, 0, 3],
    [110, 0, 4],
    [111, 0, 5],
    [1_000, 0, 5],
    [102, 3, undefined],
    [104, 3, 3],
  ])('finds at %d s, from block %d on, block %s', async (atSeconds, startHeight, height) => {
    expect((await newestBefore(rpcOf(), atSeconds, startHeight))?.height).toBe(height);
  });

  it('requests only as many blocks as a binary search needs', async () => {
    const asked: number[] = [];
    await newestBefore(rpcOf(asked), 103, 0);
    expect(asked.length).toBeLessThanOrEqual(3);
  });

  it.each([
    ['lacks a block below its head', null],
    ['returns another block', block(5)],
  ])('rejects a node that %s', async (_, answer) => {
    const reads = {
      head: async () => block(5),
      blockByNumber: async () => answer,
    } as Partial<EvmReads> as EvmReads;
    await expect(newestBefore({ pinned: (work) => work(reads) }, 103, 0)).rejects.toThrow(
      'block 2 is missing',
    );
  });
});
