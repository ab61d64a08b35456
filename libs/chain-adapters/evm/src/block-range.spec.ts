import { type FollowOptions, nextUpdate } from './block-follower';
import { type ChainUpdate, InconsistentChain } from './chain-update';
import type { BlockRef } from './evm-types';
import { followedNode, followOptions as options, newestOf, oneLogEach } from './testing/followed-node';
import { type ScriptedNode, wireBlock, wireLog } from './testing/scripted-node';
import { errorOf } from './testing/test-rpc';

describe('readRange while the chain changes', () => {
  const update = async (
    change: (node: ScriptedNode, known: BlockRef[]) => void,
    follow: Partial<FollowOptions> = {},
  ): Promise<ChainUpdate> => {
    const { node, rpc } = followedNode(100);
    const known = newestOf(node.chain, 10).slice(0, 7);
    await rpc.head();
    node.httpRequests = 0;
    change(node, known);
    return nextUpdate(rpc, known, { ...options, ...follow });
  };
  const reorganiseBefore = (method: number, depth: number) => (node: ScriptedNode) => {
    node.beforeAnswer = (request) => {
      if (request === method) node.chain.drop(depth).mine(depth, oneLogEach);
    };
  };

  it('makes four requests for an update', async () => {
    expect(await update(reorganiseBefore(5, 3))).toMatchObject({ kind: 'advance' });
  });

  it.each([
    ['before the logs are read, above our position', 3, 3],
    ['before the logs are read, below our position', 3, 8],
    ['before the headers are read again', 4, 3],
    ['before the headers are read again, only the last block', 4, 1],
  ])('returns no update for a change %s', async (_title, request, depth) => {
    await expect(update(reorganiseBefore(request, depth))).rejects.toThrow(InconsistentChain);
  });

  it('returns no update when the chain shrinks', async () => {
    const shrinkBefore = (request: number) => (node: ScriptedNode) => {
      node.beforeAnswer = (now) => void (now === request && node.chain.drop(20));
    };
    await expect(update(shrinkBefore(2))).rejects.toThrow(InconsistentChain);
    expect(await errorOf(update(shrinkBefore(3)))).toMatchObject({ reason: 'headerNotFound' });
    await expect(update(shrinkBefore(4))).rejects.toThrow(InconsistentChain);
  });

  it('returns no update when the chain changes back, and the logs are from the time between', async () => {
    const there = (node: ScriptedNode) => {
      const original = node.chain;
      const fork = original.copy().drop(3).mine(3);
      node.beforeAnswer = (request) => (node.chain = request === 3 ? fork : original);
    };
    await expect(update(there)).rejects.toThrow(InconsistentChain);
  });

  it('returns no update when half of a halved range is of another fork', async () => {
    const halfway = (node: ScriptedNode) => {
      const original = node.chain;
      const fork = original.copy().drop(60).mine(60, oneLogEach);
      node.methods.set('eth_getLogs', ([param]) => {
        const { fromBlock, toBlock } = param as { fromBlock: string; toBlock: string };
        if (Number(toBlock) - Number(fromBlock) > 50)
          throw { code: -32614, message: 'limited to a 50 range' };
        // The other fork has no logs in this range, so only the header at the end of the range differs.
        return Number(toBlock) < 60
          ? []
          : original.blocks.slice(Number(fromBlock)).flatMap((b) => b.logs.map(wireLog));
      });
      node.beforeAnswer = (request) => (node.chain = request === 4 ? fork : original);
    };
    const { node, rpc } = followedNode(100);
    await rpc.head();
    node.httpRequests = 1;
    halfway(node);
    await expect(nextUpdate(rpc, [], options)).rejects.toThrow(InconsistentChain);
  });

  it('returns no update when headers and logs of the window disagree', async () => {
    const foreignLog = (node: ScriptedNode, known: BlockRef[]) => {
      const log = node.chain.blocks[99]!.logs[0]!;
      node.methods.set('eth_getLogs', () => [wireLog({ ...log, blockHash: known[0]!.hash })]);
    };
    await expect(update(foreignLog)).rejects.toThrow(/a log of block 99/);
  });

  it('returns no update when two logs below the window have different blocks at one height', async () => {
    const { node, rpc } = followedNode(100);
    const [log] = node.chain.blocks[5]!.logs;
    node.methods.set('eth_getLogs', () => [
      wireLog(log!),
      wireLog({ ...log!, logIndex: 1, blockHash: node.chain.head.hash }),
    ]);
    await expect(nextUpdate(rpc, [], options)).rejects.toThrow(/a log of block 5/);
  });

  it('returns no update when the headers of the window are not linked', async () => {
    const broken = (node: ScriptedNode) => {
      node.methods.set('eth_getBlockByNumber', ([height]) => {
        const block = height === 'latest' ? node.chain.head : node.chain.blocks[Number(height)]!;
        return wireBlock(block.height === 99 ? { ...block, parentHash: block.hash } : block);
      });
    };
    await expect(update(broken)).rejects.toThrow(/block 99 does not follow block 98/);
  });

  it.each([2_000, 2])(
    'returns no update when the range does not begin at the last known block (range %i)',
    async (maxRange) => {
      const broken = (node: ScriptedNode, known: BlockRef[]) => {
        const first = known.at(-1)!.height + 1;
        node.methods.set('eth_getBlockByNumber', ([height]) => {
          const block = height === 'latest' ? node.chain.head : node.chain.blocks[Number(height)]!;
          return wireBlock(block.height === first ? { ...block, parentHash: block.hash } : block);
        });
      };
      await expect(update(broken, { maxRange, window: 1 })).rejects.toThrow(/does not follow our last block/);
    },
  );

  it('returns no update when a load balancer answers from two nodes and the second lags', async () => {
    const balanced = (node: ScriptedNode) => {
      node.beforeAnswer = (request) => (node.lag = request === 3 ? 2 : 0);
    };
    expect(await errorOf(update(balanced))).toMatchObject({ reason: 'headerNotFound' });
  });
});
