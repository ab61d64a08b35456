import { chains } from '@tollbridge/chains';
import { DefiLlama, Prices, usdValue } from '@tollbridge/prices';
import type { ChainNodes } from './chain-nodes';

export interface TokenValuesOptions {
  known: ChainNodes;
  defiLlamaUrl: string;
  now(): number;
  onFailure(source: string, error: unknown): void;
}

/** What amounts are worth in dollars, from prices that are kept in memory. */
export class TokenValues {
  private readonly prices: Prices;

  constructor({ known, defiLlamaUrl, now, onFailure }: TokenValuesOptions) {
    const tokens = chains.flatMap(({ id }) =>
      known.find(id)!.tokens.map(({ address }) => ({ chain: id, address })),
    );
    const sources = defiLlamaUrl ? [new DefiLlama(defiLlamaUrl)] : [];
    this.prices = new Prices({ sources, tokens, now, onFailure });
    // So that the first caller finds some.
    if (defiLlamaUrl) void this.prices.refresh();
  }

  /** Decimal string of dollars; null without a recent price. */
  of(
    token: { chain: string; tokenAddress: string | null; decimals: number },
    amountAtomic: bigint,
  ): string | null {
    const price = this.prices.of({ chain: token.chain, address: token.tokenAddress });
    return price === undefined ? null : usdValue(amountAtomic, token.decimals, price.usd);
  }
}
