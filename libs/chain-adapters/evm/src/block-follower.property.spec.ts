import fc from 'fast-check';
import { type FollowOptions, nextUpdate } from './block-follower';
import { type ChainUpdate, InconsistentChain, knownAfter } from './chain-update';
import type { BlockRef, EvmLog } from './evm-types';
import { RpcError } from './rpc-error';
import type { EvmRpc } from './rpc-pool';
import { paidTopic, payContract, type ScriptedChain } from './testing/scripted-chain';
import { ScriptedNode } from './testing/scripted-node';
import { rpcOver } from './testing/test-rpc';

type Step =
  | { kind: 'mine'; count: number; logs: number }
  | { kind: 'reorganise'; depth: number; count: number; logs: number }
  | { kind: 'lag'; blocks: number }
  | { kind: 'tick'; during: { request: number; depth: number; count: number } | null }
  | { kind: 'crash' };

const count = fc.integer({ min: 0, max: 12 });
const depth = fc.integer({ min: 1, max: 15 });
// The number of logs depends on the height of a block, so that forks have different logs.
const logs = fc.integer({ min: 0, max: 3 });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('mine' as const), count, logs }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('reorganise' as const), depth, count, logs }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('lag' as const), blocks: fc.integer({ min: 0, max: 9 }) }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('tick' as const),
      during: fc.option(fc.record({ request: fc.integer({ min: 1, max: 8 }), depth, count })),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'crash' as const }) },
);
const options = fc.record({
  startHeight: fc.integer({ min: 0, max: 8 }),
  window: fc.integer({ min: 1, max: 8 }),
  maxRange: fc.integer({ min: 1, max: 12 }),
});

/** Applies updates like a caller's database, each in one transaction. */
class Ledger {
  known: BlockRef[] = [];
  logs: EvmLog[] = [];

  apply(update: ChainUpdate, window: number): void {
    this.known = knownAfter(this.known, update, window);
    if (update.kind === 'rollback') this.logs = this.logs.filter((log) => log.height <= update.to.height);
    if (update.kind === 'advance') this.logs.push(...update.logs);
  }
}

function change(chain: ScriptedChain, dropped: number, mined: number, logsUpTo: number): void {
  chain
    .drop(dropped)
    .mine(mined, (height) => (logsUpTo === 0 ? 0 : (height * 7 + logsUpTo) % (logsUpTo + 1)));
}

async function tick(rpc: EvmRpc, ledger: Ledger, follow: FollowOptions): Promise<ChainUpdate | null> {
  try {
    const update = await nextUpdate(rpc, ledger.known, follow);
    ledger.apply(update, follow.window);
    return update;
  } catch (error) {
    if (error instanceof InconsistentChain) return null;
    if (error instanceof RpcError && error.reason === 'headerNotFound') return null;
    throw error;
  }
}

async function run(steps: readonly Step[], follow: FollowOptions): Promise<void> {
  const node = new ScriptedNode();
  const ledger = new Ledger();
  let { rpc } = rpcOver({ a: node });
  let highest = 0;
  for (const next of steps) {
    if (next.kind === 'mine') change(node.chain, 0, next.count, next.logs);
    if (next.kind === 'reorganise') change(node.chain, next.depth, next.count, next.logs);
    if (next.kind === 'lag') node.lag = next.blocks;
    // The memory of the process is lost, and the ledger is the stored state.
    if (next.kind === 'crash') ({ rpc } = rpcOver({ a: node }));
    if (next.kind === 'tick') {
      const { during } = next;
      const started = node.httpRequests;
      node.beforeAnswer = (request) => {
        if (during && request === started + during.request) change(node.chain, during.depth, during.count, 2);
      };
      await tick(rpc, ledger, follow);
      node.beforeAnswer = () => undefined;
    }
    highest = Math.max(highest, node.chain.head.height);
  }
  // A shorter chain does not contradict the ledger, but a chain above the highest block of the ledger does.
  node.lag = 0;
  change(node.chain, 0, highest - node.chain.head.height + 1, 1);
  await catchUp(rpc, ledger, follow, node.chain.head.height);
  expect(ledger.logs).toEqual(node.chain.logsFrom(follow.startHeight));
  // With a late start height the ledger may have no block. Otherwise its position is the head.
  if (node.chain.head.height >= follow.startHeight) {
    expect(ledger.known.at(-1)!.hash).toBe(node.chain.head.hash);
    expect(ledger.known.length).toBeLessThanOrEqual(follow.window);
  }
}

async function catchUp(rpc: EvmRpc, ledger: Ledger, follow: FollowOptions, height: number): Promise<void> {
  // Each tick either advances by at least one block or rolls back. Two rollbacks in a row find the depth.
  for (let ticks = 0; ticks <= 2 * height + 10; ticks += 1) {
    const update = await tick(rpc, ledger, follow);
    if (update?.kind === 'idle') return;
  }
  throw new Error('The follower never caught up');
}

describe('nextUpdate', () => {
  it('ends with exactly the logs of the chain after any forks, lags and crashes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), options, (steps, bounds) =>
        run(steps, { address: payContract, topics: [paidTopic], ...bounds }),
      ),
      { numRuns: 300 },
    );
  });
});
