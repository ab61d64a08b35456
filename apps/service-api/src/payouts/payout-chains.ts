import { findChain, type EvmChain } from '@tollbridge/chains';
import { EvmRpc } from '@tollbridge/evm';
import type { Logger } from '@tollbridge/observability';

// A preview sends several requests while its client waits.
const rpcTimeoutMs = 3_000;

export interface PayoutChain {
  chain: EvmChain;
  rpc: EvmRpc;
}

/** The chains of payouts, with a client for their nodes. */
export class PayoutChains {
  private readonly byId: ReadonlyMap<string, PayoutChain>;

  constructor(chains: readonly EvmChain[], logger: Logger) {
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

  get names(): string[] {
    return [...this.byId.keys()];
  }

  get all(): PayoutChain[] {
    return [...this.byId.values()];
  }

  /** By any of its names. */
  find(name: string): PayoutChain | undefined {
    return this.byId.get(findChain(name)?.id ?? '');
  }
}
