import { findChain, type Chain, type EvmChain } from '@tollbridge/chains';
import { evmRpcOf, type EvmRpc } from '@tollbridge/evm';
import type { Logger } from '@tollbridge/observability';

export interface NodedChain {
  chain: EvmChain;
  rpc: EvmRpc;
}

/** The chains that merchants may name, and the nodes configured for them. */
export class ChainNodes {
  private readonly byId: ReadonlyMap<string, NodedChain>;

  constructor(deployed: readonly EvmChain[], logger: Logger) {
    this.byId = new Map(deployed.map((chain) => [chain.id, { chain, rpc: evmRpcOf(chain, logger) }]));
  }

  get withNodes(): NodedChain[] {
    return [...this.byId.values()];
  }

  /** Finds a chain by any of its names, with its tokens in this deployment. */
  find(name: string): Chain | undefined {
    const chain = findChain(name);
    return chain && (this.byId.get(chain.id)?.chain ?? chain);
  }

  /** The nodes of a chain by its id; undefined where none is configured, so payments cannot be verified. */
  nodesOf(id: string): NodedChain | undefined {
    return this.byId.get(id);
  }
}
