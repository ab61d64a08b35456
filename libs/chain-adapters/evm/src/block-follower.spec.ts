import { nextUpdate } from './block-follower';
import { beforeGenesis, type ChainUpdate, InconsistentChain, knownAfter } from './chain-update';
import type { BlockRef } from './evm-types';
import { followedNode, followOptions as options, newestOf, oneLogEach } from './testing/followed-node';
import { refOf, ScriptedChain } from './testing/scripted-chain';
import { ScriptedNode, wireLog } from './testing/scripted-node';
import { rpcOver } from './testing/test-rpc';

describe('nextUpdate at the first start', () => {
  it('reads from the start height and returns the newest blocks of the range', async () => {
    const { node, rpc } = followedNode(100);
    expect(await nextUpdate(rpc, [], { ...options, startHeight: 40 })).toEqual({
      kind: 'advance',
      blocks: newestOf(node.chain, 10),
      logs: node.chain.logsFrom(40),
      head: refOf(node.chain.head),
    });
  });

  it('waits until the chain reaches the start height', async () => {
    const { node, rpc } = followedNode(100);
    const head = refOf(node.chain.head);
    expect(await nextUpdate(rpc, [], { ...options, startHeight: 101 })).toEqual({ kind: 'idle', head });
    expect(await nextUpdate(rpc, [], { ...options, startHeight: 100 })).toMatchObject({ kind: 'advance' });
  });
});

describe('nextUpdate advancing', () => {
  it('returns idle at the head after one request', async () => {
    const { node, rpc } = followedNode(100);
    const known = newestOf(node.chain, 10);
    await rpc.head();
    const before = node.httpRequests;
    expect(await nextUpdate(rpc, known, options)).toEqual({ kind: 'idle', head: known[9] });
    expect(node.httpRequests - before).toBe(1);
  });

  it('returns new blocks and their logs', async () => {
    const { node, rpc } = followedNode(100);
    const known = newestOf(node.chain, 10);
    node.chain.mine(3, oneLogEach);
    expect(await nextUpdate(rpc, known, options)).toEqual({
      kind: 'advance',
      blocks: newestOf(node.chain, 3),
      logs: node.chain.logsFrom(101),
      head: refOf(node.chain.head),
    });
  });

  it('catches up in ranges with one eth_getLogs request each', async () => {
    const { node, rpc } = followedNode(0);
    node.chain.mine(4_999, (height) => (height % 500 === 0 ? 1 : 0));
    let known: BlockRef[] = [];
    const seen: string[] = [];
    for (let update: ChainUpdate; (update = await nextUpdate(rpc, known, options)).kind === 'advance';) {
      known = knownAfter(known, update, options.window);
      seen.push(`${known.length} blocks to ${known.at(-1)!.height}, ${update.logs.length} logs`);
    }
    expect(seen).toEqual([
      '10 blocks to 1999, 3 logs',
      '10 blocks to 3999, 4 logs',
      '10 blocks to 4999, 2 logs',
    ]);
    expect(node.asked.filter((method) => method === 'eth_getLogs')).toHaveLength(3);
  });

  it('halves a range that is too large and preserves the order of logs', async () => {
    const { node, rpc } = followedNode(100);
    node.methods.set('eth_getLogs', ([param]) => {
      const { fromBlock, toBlock } = param as { fromBlock: string; toBlock: string };
      if (Number(toBlock) - Number(fromBlock) > 20) throw { code: -32614, message: 'limited to a 20 range' };
      return node.chain.blocks
        .slice(Number(fromBlock), Number(toBlock) + 1)
        .flatMap((b) => b.logs.map(wireLog));
    });
    const update = await nextUpdate(rpc, [], options);
    expect(update).toMatchObject({ kind: 'advance', logs: node.chain.logsFrom(0) });
  });
});

describe('nextUpdate with a head below its position', () => {
  it.each([1, 9, 10, 11, 60])(
    'reports no rollback for a consistent head that is %i blocks lower',
    async (lag) => {
      const { node, rpc } = followedNode(100);
      const known = newestOf(node.chain, 10);
      node.lag = lag;
      expect(await nextUpdate(rpc, known, options)).toEqual({
        kind: 'idle',
        head: refOf(node.chain.blocks[100 - lag]!),
      });
    },
  );

  it.each([
    ['in the window', 94, 93],
    // The oldest known block, 91, contains the hash of its parent.
    ['just below the window', 90, -1],
  ])('reports a rollback for a head of another fork %s', async (_title, height, to) => {
    const { node, rpc } = followedNode(100);
    const known = newestOf(node.chain, 10);
    node.chain.drop(100 - height + 1).mine(1);
    const update = await nextUpdate(rpc, known, options);
    expect(update).toMatchObject({ kind: 'rollback', to: { height: to }, head: { height } });
  });

  it('reports no rollback for a fork that starts below the window until it has grown', async () => {
    const { node, rpc } = followedNode(100);
    const known = newestOf(node.chain, 10);
    node.chain = new ScriptedChain().mine(50, oneLogEach);
    expect(await nextUpdate(rpc, known, options)).toMatchObject({ kind: 'idle', head: { height: 50 } });
    node.chain.mine(45);
    expect(await nextUpdate(rpc, known, options)).toMatchObject({ kind: 'rollback', to: beforeGenesis });
  });
});

describe('nextUpdate at a reorganisation', () => {
  it.each([1, 2, 9])('rolls back to the last common block at depth %i', async (depth) => {
    const { node, rpc } = followedNode(100);
    const known = newestOf(node.chain, 10);
    node.chain.drop(depth).mine(depth + 1, oneLogEach);
    const rollback = await nextUpdate(rpc, known, options);
    expect(rollback).toEqual({
      kind: 'rollback',
      to: known[9 - depth],
      removed: known.slice(-depth),
      head: refOf(node.chain.head),
    });
    const update = await nextUpdate(rpc, knownAfter(known, rollback, options.window), options);
    expect(update).toMatchObject({ kind: 'advance', logs: node.chain.logsFrom(101 - depth) });
  });

  it('rolls back to the parent of the oldest block at the depth of the window', async () => {
    const { node, rpc } = followedNode(100);
    const known = newestOf(node.chain, 10);
    node.chain.drop(10).mine(11);
    const rollback = await nextUpdate(rpc, known, options);
    expect(rollback).toMatchObject({ kind: 'rollback', to: refOf(node.chain.blocks[90]!), removed: known });
    expect(knownAfter(known, rollback, 10)).toEqual([refOf(node.chain.blocks[90]!)]);
  });

  it('returns to the start for a fork below the window, so that no block of the lost fork remains', async () => {
    const { node, rpc } = followedNode(100);
    const known = newestOf(node.chain, 10);
    node.chain.drop(11).mine(12, oneLogEach);
    const rollback = await nextUpdate(rpc, known, { ...options, startHeight: 40 });
    expect(rollback).toMatchObject({ kind: 'rollback', to: refOf(node.chain.blocks[39]!), removed: known });
    const next = await nextUpdate(rpc, knownAfter(known, rollback, 10), { ...options, startHeight: 40 });
    expect(next).toMatchObject({ kind: 'advance', logs: node.chain.logsFrom(40) });
  });

  it.each([
    ['the newest ten blocks', 10],
    ['all blocks and genesis itself', 101],
  ])('rolls back before genesis when the start is genesis and %s are known', async (_title, count) => {
    const { node, rpc } = followedNode(100);
    const known = newestOf(node.chain, count);
    node.chain = new ScriptedChain().mine(100, oneLogEach);
    const rollback = await nextUpdate(rpc, known, options);
    expect(rollback).toMatchObject({ kind: 'rollback', to: beforeGenesis, removed: known });
    expect(knownAfter(known, rollback, 10)).toEqual([]);
  });

  it('waits until a chain that ends below the start height reaches it', async () => {
    const { node, rpc } = followedNode(100);
    const known = newestOf(node.chain, 10);
    node.chain = new ScriptedChain().mine(93);
    const late = { ...options, startHeight: 95 };
    const rollback = await nextUpdate(rpc, known, late);
    // The target is not block 93, because two blocks of the lost chain would remain below it.
    const to = refOf(node.chain.blocks[90]!);
    expect(rollback).toMatchObject({ kind: 'rollback', to, removed: known });
    const after = knownAfter(known, rollback, 10);
    expect(after).toEqual([to]);
    node.chain.mine(1);
    expect(await nextUpdate(rpc, after, late)).toMatchObject({ kind: 'idle' });
    node.chain.mine(6, oneLogEach);
    expect(await nextUpdate(rpc, after, late)).toMatchObject({
      kind: 'advance',
      logs: node.chain.logsFrom(95),
    });
  });

  it('throws when the chain shrinks during a read, because a missing block does not prove a reorganisation', async () => {
    const { node, rpc } = followedNode(100);
    const known = newestOf(node.chain, 10);
    node.chain.drop(2).mine(3);
    await rpc.head();
    // The requests are for the head, then our newest block, then all stored blocks.
    const asked = node.httpRequests;
    node.beforeAnswer = (request) => void (request === asked + 3 && node.chain.drop(5));
    await expect(nextUpdate(rpc, known, options)).rejects.toThrow(InconsistentChain);
  });

  it('compares older blocks as well if the caller stores them', async () => {
    const { node, rpc } = followedNode(100);
    const known = [refOf(node.chain.blocks[20]!), refOf(node.chain.blocks[60]!), ...newestOf(node.chain, 10)];
    node.chain.drop(30).mine(31);
    expect(await nextUpdate(rpc, known, options)).toMatchObject({ kind: 'rollback', to: known[1] });
  });
});

describe('nextUpdate with several endpoints', () => {
  it('reads an update from one endpoint, even if the next endpoint would answer too', async () => {
    const a = new ScriptedNode();
    const b = new ScriptedNode();
    a.chain.mine(100, oneLogEach);
    b.chain.mine(100, oneLogEach);
    const { rpc } = rpcOver({ a, b });
    a.methods.set('eth_getLogs', () => {
      a.respond = () => new Response('', { status: 503 });
      return [];
    });
    const update = await nextUpdate(rpc, [], options);
    expect(update).toMatchObject({ kind: 'advance', logs: b.chain.logsFrom(0), head: refOf(b.chain.head) });
  });
});

describe('nextUpdate arguments', () => {
  it.each([
    ['a window of 0', { window: 0 }],
    ['a range of 0', { maxRange: 0 }],
    ['a negative start', { startHeight: -1 }],
    ['a fractional range', { maxRange: 1.5 }],
  ])('rejects %s', async (_title, change) => {
    const { rpc } = followedNode(5);
    await expect(nextUpdate(rpc, [], { ...options, ...change })).rejects.toThrow(RangeError);
  });

  it('rejects blocks that are out of order', async () => {
    const { node, rpc } = followedNode(5);
    await expect(nextUpdate(rpc, newestOf(node.chain, 3).reverse(), options)).rejects.toThrow(RangeError);
  });
});
