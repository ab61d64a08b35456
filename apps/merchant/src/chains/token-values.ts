import { KeptPrices, usdValue } from '@tollbridge/prices';

interface Token {
  chain: string;
  tokenAddress: string | null;
  decimals: number;
}

/** What amounts are worth in dollars, from prices that are kept in memory. */
export class TokenValues extends KeptPrices {
  /** Decimal string of dollars; null without a recent price. */
  of({ chain, tokenAddress, decimals }: Token, amountAtomic: bigint): string | null {
    const price = this.prices.of({ chain, address: tokenAddress });
    return price === undefined ? null : usdValue(amountAtomic, decimals, price.usd);
  }
}
