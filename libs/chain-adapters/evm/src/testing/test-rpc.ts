import type { UnhealthyEvent } from '../rpc-endpoint';
import { RpcError } from '../rpc-error';
import { EvmRpc, type EvmRpcOptions } from '../rpc-pool';
import { fetchFrom, type ScriptedNode } from './scripted-node';

export interface TestRpc {
  rpc: EvmRpc;
  clock: { nowMs: number; now(): number };
  events: UnhealthyEvent[];
}

/**
 * A pool over scripted nodes, with one URL per node, a stopped clock, and jitter that always results in the longest
 * pause.
 */
export function rpcOver(nodes: Record<string, ScriptedNode>, options: Partial<EvmRpcOptions> = {}): TestRpc {
  const events: UnhealthyEvent[] = [];
  const clock = { nowMs: 1_800_000_000_000, now: () => clock.nowMs };
  const rpc = new EvmRpc({
    chainId: 8453,
    urls: Object.keys(nodes).map((host) => `http://${host}`),
    timeoutMs: 5_000,
    maxLagBlocks: 5,
    clock,
    random: () => 1,
    fetch: fetchFrom(nodes),
    onUnhealthy: (event) => events.push(event),
    ...options,
  });
  return { rpc, clock, events };
}

/** Returns the error of a call that must fail. */
export async function errorOf(promise: Promise<unknown>): Promise<RpcError> {
  const outcome = await promise.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
  if ('error' in outcome && outcome.error instanceof RpcError) return outcome.error;
  throw new Error('Expected an RpcError', { cause: outcome });
}
