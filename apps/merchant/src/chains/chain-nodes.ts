import type { TransferReader } from '@tollbridge/chain-port';
import { findChain, type Chain } from '@tollbridge/chains';

/** The chains that merchants may name, and the readers of those with nodes of this deployment. */
export class ChainNodes {
  private readonly byId: ReadonlyMap<string, TransferReader>;

  /** @param direct ids of the chains where this deployment takes direct payments */
  constructor(
    readonly readers: readonly TransferReader[],
    private readonly direct: ReadonlySet<string> = new Set(),
  ) {
    this.byId = new Map(readers.map((reader) => [reader.chain.id, reader]));
  }

  /** Finds a chain by any of its names, with its tokens in this deployment. */
  find(name: string): Chain | undefined {
    const chain = findChain(name);
    return chain && (this.byId.get(chain.id)?.chain ?? chain);
  }

  /** Whether this deployment takes direct payments on a chain, by its id. */
  isDirect(id: string): boolean {
    return this.direct.has(id);
  }

  /** Reads transfers on a chain by its id; undefined where no node is configured, so payments cannot be verified. */
  readerOf(id: string): TransferReader | undefined {
    return this.byId.get(id);
  }
}
