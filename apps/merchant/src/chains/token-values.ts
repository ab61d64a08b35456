import { KeptPrices, usdValue } from '@tollbridge/prices';

interface Token {
  chain: string;
  tokenAddress: string | null;
  decimals: number;
}

/** Converts token amounts to US dollars with cached prices. */
export class TokenValues extends KeptPrices {
  /** The value in US dollars as a decimal string; null without a recent price. */
  of({ chain, tokenAddress, decimals }: Token, amountAtomic: bigint): string | null {
    const price = this.prices.of({ chain, address: tokenAddress });
    return price === undefined ? null : usdValue(amountAtomic, decimals, price.usd);
  }
}
