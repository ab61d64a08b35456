import type { Metrics } from '@tollbridge/observability';
import type { EvmRpc } from './rpc-pool';

interface ChainNodes {
  chain: { id: string };
  rpc: Pick<EvmRpc, 'health'>;
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
