import type { EvmRpc } from '../rpc-pool';
import { ScriptedNode } from './scripted-node';

export function twoNodes(): { a: ScriptedNode; b: ScriptedNode } {
  const a = new ScriptedNode();
  const b = new ScriptedNode();
  a.chain.mine(100);
  b.chain = a.chain;
  return { a, b };
}

/** Returns the name of the endpoint that answers a call. */
export async function whoAnswers(rpc: EvmRpc, nodes: Record<string, ScriptedNode>): Promise<string> {
  for (const [name, node] of Object.entries(nodes)) node.methods.set('who', () => name);
  return String(await rpc.call('who'));
}

export function rejectConnection(): never {
  throw { code: -32601, message: 'Method not found' };
}

export function down(): never {
  throw new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } });
}
