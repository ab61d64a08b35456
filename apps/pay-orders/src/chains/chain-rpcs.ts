import { EvmRpc } from '@tollbridge/chains';
import type { Logger } from '@tollbridge/observability';
import type { Deployments } from './deployments';

const rpcTimeoutMs = 5_000;

/** The RPC pool of each deployed chain, shared by all who read it. */
export class ChainRpcs {
  private readonly byChain: ReadonlyMap<string, EvmRpc>;

  constructor(deployments: Deployments, logger: Logger) {
    this.byChain = new Map(
      deployments.chains.map(({ id, chainId, rpcUrls, maxLagBlocks }) => {
        const onSetAside = (event: object) =>
          logger.warn({ chain: id, ...event }, 'an RPC endpoint was set aside');
        const options = { chainId, urls: [...rpcUrls], timeoutMs: rpcTimeoutMs, maxLagBlocks, onSetAside };
        return [id, new EvmRpc(options)];
      }),
    );
  }

  find(chainId: string): EvmRpc | undefined {
    return this.byChain.get(chainId);
  }
}
