import type { TransferReader } from '@tollbridge/chain-port';
import { findChain, type Chain } from '@tollbridge/chains';

/**
 * The chains that requests of merchants may use, and the transfer readers of the chains that have nodes in this
 * deployment.
 */
export class ChainNodes {
  private readonly byId: ReadonlyMap<string, TransferReader>;

  /** @param direct ids of the chains where this deployment accepts direct payments */
  constructor(
    readonly readers: readonly TransferReader[],
    private readonly direct: ReadonlySet<string> = new Set(),
  ) {
    this.byId = new Map(readers.map((reader) => [reader.chain.id, reader]));
  }

  /** Finds a chain by its id or any alias. The chain has the tokens of this deployment. */
  find(name: string): Chain | undefined {
    const chain = findChain(name);
    return chain && (this.byId.get(chain.id)?.chain ?? chain);
  }

  /** Whether this deployment accepts direct payments on the chain with this id. */
  isDirect(id: string): boolean {
    return this.direct.has(id);
  }

  /**
   * The transfer reader of the chain with this id; undefined without a configured node, so payments cannot be verified.
   */
  readerOf(id: string): TransferReader | undefined {
    return this.byId.get(id);
  }
}
