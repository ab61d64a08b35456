import type { Chain } from '@tollbridge/chains';

/** Block explorers of this deployment's chains. */
export class Explorers {
  /** @param set what `CHAINS_FILE` sets, by chain id */
  constructor(
    private readonly set: ReadonlyMap<string, string | null>,
    private readonly isSandbox: boolean,
  ) {}

  /** Page of a transaction, with `{tx}` in place of the hash; null where no explorer knows the chain's transactions. */
  txUrlOf({ id, explorerTxUrl }: Pick<Chain, 'id' | 'explorerTxUrl'>): string | null {
    const set = this.set.get(id);
    if (set !== undefined) return set;
    // Public explorers do not know the local chains of a sandbox.
    return this.isSandbox ? null : explorerTxUrl;
  }
}
