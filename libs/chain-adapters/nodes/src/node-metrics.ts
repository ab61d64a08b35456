import type { Metrics } from '@tollbridge/observability';
import type { RangeState } from './range-limit';

export interface NodeState {
  state: 'healthy' | 'unhealthy';
  ranges: RangeState;
}

interface ChainNodes {
  chain: { id: string };
  /** Nodes in the order of `CHAINS_FILE`. */
  rpc: { health(): readonly NodeState[] };
}

/**
 * Exports metrics about the state of the nodes of `CHAINS_FILE`. A node is identified by its position, because its URL
 * may contain a key.
 */
export function showNodes(metrics: Metrics, chains: readonly ChainNodes[]): void {
  const show = (name: string, help: string, figureOf: (node: NodeState) => number) =>
    metrics.gauge(`tollbridge_rpc_node_${name}`, help, ['chain', 'node'], (gauge) => {
      for (const { chain, rpc } of chains)
        for (const [at, node] of rpc.health().entries())
          gauge.set({ chain: chain.id, node: String(at + 1) }, figureOf(node));
    });
  show(
    'healthy',
    '0 while an RPC node is not used, because it failed or lags; `node` is its position in CHAINS_FILE',
    ({ state }) => (state === 'healthy' ? 1 : 0),
  );
  show(
    'range_rejections',
    'Ranges (blocks of logs, items of a page) that an RPC node did not answer since the start',
    ({ ranges }) => ranges.rejections,
  );
  show(
    'range_max',
    'The most blocks or items that an RPC node is asked for at once, learnt from its rejections; 0 while it rejected nothing',
    ({ ranges }) => ranges.atMost ?? 0,
  );
}
