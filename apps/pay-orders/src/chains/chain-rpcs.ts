import { evmRpcOf, type EvmRpc } from '@tollbridge/evm';
import type { Logger } from '@tollbridge/observability';
import type { Deployments } from './deployments';

/** The RPC pool of each deployed chain, shared by all who read it. */
export class ChainRpcs {
  private readonly byChain: ReadonlyMap<string, EvmRpc>;

  constructor(deployments: Deployments, logger: Logger) {
    this.byChain = new Map(deployments.chains.map((chain) => [chain.id, evmRpcOf(chain, logger)]));
  }

  find(chainId: string): EvmRpc | undefined {
    return this.byChain.get(chainId);
  }
}
