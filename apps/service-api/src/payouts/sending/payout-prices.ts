import { KeptPrices, unitsWorth, usdValue } from '@tollbridge/prices';

/** Of every EVM chain's coin. */
const coinDecimals = 18;

/** What payouts and their fees are worth. */
export class PayoutPrices extends KeptPrices {
  /** Decimal dollars; null without a recent price. */
  usdOf(chain: string, token: PricedToken, amountAtomic: bigint): string | null {
    const price = this.prices.of({ chain, address: token.address });
    return price === undefined ? null : usdValue(amountAtomic, token.decimals, price.usd);
  }

  /** How much of the chain's coin an amount of a token is worth, in wei; undefined without both prices. */
  weiOf(chain: string, token: PricedToken, amountAtomic: bigint): bigint | undefined {
    const usd = this.usdOf(chain, token, amountAtomic);
    const coin = this.prices.of({ chain, address: null });
    return usd === null || coin === undefined ? undefined : unitsWorth(usd, coinDecimals, coin.usd);
  }
}

interface PricedToken {
  address: string;
  decimals: number;
}
