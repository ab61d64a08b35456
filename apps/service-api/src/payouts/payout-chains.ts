import { findChain, type EvmChain } from '@tollbridge/chains';
import { EvmRpc } from '@tollbridge/evm';
import type { Logger } from '@tollbridge/observability';

// A preview asks several times, and its caller waits.
const rpcTimeoutMs = 3_000;

export interface PayoutChain {
  chain: EvmChain;
  rpc: EvmRpc;
}

/** The chains that payouts are made on, with the nodes that are asked about them. */
export class PayoutChains {
  private readonly byId: ReadonlyMap<string, PayoutChain>;

  constructor(chains: readonly EvmChain[], logger: Logger) {
    this.byId = new Map(
      chains.map((chain) => {
        const { id, chainId, rpcUrls, maxLagBlocks } = chain;
        const onSetAside = (event: object) =>
          logger.warn({ chain: id, ...event }, 'an RPC endpoint was set aside');
        const options = { chainId, urls: [...rpcUrls], timeoutMs: rpcTimeoutMs, maxLagBlocks, onSetAside };
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
