import type { Chain } from '@tollbridge/chains';

/** Block explorers of this deployment's chains. */
export class Explorers {
  /** @param set the explorer URLs in `CHAINS_FILE`, by chain id */
  constructor(
    private readonly set: ReadonlyMap<string, string | null>,
    private readonly isSandbox: boolean,
  ) {}

  /** The URL of a transaction's page, with `{tx}` in place of the hash; null when no explorer shows the chain. */
  txUrlOf({ id, explorerTxUrl }: Pick<Chain, 'id' | 'explorerTxUrl'>): string | null {
    const set = this.set.get(id);
    if (set !== undefined) return set;
    // Public explorers do not show the local chains of a sandbox.
    return this.isSandbox ? null : explorerTxUrl;
  }
}
