import { findChain, type Chain, type EvmChain } from '@tollbridge/chains';
import { EvmRpc } from '@tollbridge/evm';
import type { Logger } from '@tollbridge/observability';

// A preview sends several requests while its client waits.
const rpcTimeoutMs = 3_000;

export interface PayoutChain {
  chain: EvmChain;
  rpc: EvmRpc;
}

/**
 * The chains of payouts. Each EVM chain of this deployment has an RPC client, to simulate and send payouts.
 */
export class PayoutChains {
  private readonly byId: ReadonlyMap<string, PayoutChain>;

  /** @param others chains of other families with the token contracts of this deployment */
  constructor(
    chains: readonly EvmChain[],
    logger: Logger,
    private readonly others: readonly Chain[] = [],
  ) {
    this.byId = new Map(
      chains.map((chain) => {
        const { id, chainId, rpcUrls, maxLagBlocks } = chain;
        const onUnhealthy = (event: object) => logger.warn({ chain: id, ...event }, 'RPC endpoint unhealthy');
        const options = {
          chainId,
          urls: [...rpcUrls],
          timeoutMs: rpcTimeoutMs,
          maxLagBlocks,
          onUnhealthy: onUnhealthy,
        };
        return [id, { chain, rpc: new EvmRpc(options) }];
      }),
    );
  }

  get all(): PayoutChain[] {
    return [...this.byId.values()];
  }

  /** Returns a listed chain by any of its names, with the token contracts of this deployment. */
  listed(name: string): Chain | undefined {
    const chain = findChain(name);
    return this.find(name)?.chain ?? this.others.find(({ id }) => id === chain?.id) ?? chain;
  }

  /** Returns a chain with a node by any of its names. */
  find(name: string): PayoutChain | undefined {
    return this.byId.get(findChain(name)?.id ?? '');
  }
}
