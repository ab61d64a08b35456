import type { FollowOptions } from '../block-follower';
import type { BlockRef } from '../evm-types';
import type { EvmRpc } from '../rpc-pool';
import { paidTopic, payContract, refOf, type ScriptedChain } from './scripted-chain';
import { ScriptedNode } from './scripted-node';
import { rpcOver } from './test-rpc';

export const followOptions: FollowOptions = {
  address: payContract,
  topics: [paidTopic],
  startHeight: 0,
  window: 10,
  maxRange: 2_000,
};

export const oneLogEach = (): number => 1;

/** A node with `height` blocks above genesis, each with a log, and a pool that reads from it. */
export function followedNode(height: number): { node: ScriptedNode; rpc: EvmRpc } {
  const node = new ScriptedNode();
  node.chain.mine(height, oneLogEach);
  return { node, rpc: rpcOver({ a: node }).rpc };
}

export function newestOf(chain: ScriptedChain, count: number): BlockRef[] {
  return chain.blocks.slice(-count).map(refOf);
}
