import type { ChainAdapter } from './chain-adapter';

/**
 * The chains with direct payments in a deployment. `isDirect` of a descriptor only states what the specification lists.
 * A chain without an adapter here accepts no direct payments.
 */
export class ChainAdapters {
  private readonly byChain: ReadonlyMap<string, ChainAdapter>;

  /** @throws Error for two adapters of one chain */
  constructor(readonly all: readonly ChainAdapter[]) {
    this.byChain = new Map(all.map((adapter) => [adapter.chain.id, adapter]));
    if (this.byChain.size < all.length) throw new Error('Two chain adapters serve the same chain');
  }

  /** @param chainId the id in the registry */
  find(chainId: string): ChainAdapter | undefined {
    return this.byChain.get(chainId);
  }
}
