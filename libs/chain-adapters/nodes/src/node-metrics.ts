import type { Metrics } from '@tollbridge/observability';

export interface NodeState {
  state: 'healthy' | 'unhealthy';
}

interface ChainNodes {
  chain: { id: string };
  /** In the order of `CHAINS_FILE`. */
  rpc: { health(): readonly NodeState[] };
}

/** Shows which nodes of `CHAINS_FILE` are in use. They are named by their position: a URL may hold a key. */
export function showNodes(metrics: Metrics, chains: readonly ChainNodes[]): void {
  metrics.gauge(
    'tollbridge_rpc_node_healthy',
    '0 while an RPC node is not used, because it failed or lags; `node` is its position in CHAINS_FILE',
    ['chain', 'node'],
    (gauge) => {
      for (const { chain, rpc } of chains)
        rpc
          .health()
          .forEach(({ state }, at) =>
            gauge.set({ chain: chain.id, node: String(at + 1) }, state === 'healthy' ? 1 : 0),
          );
    },
  );
}
