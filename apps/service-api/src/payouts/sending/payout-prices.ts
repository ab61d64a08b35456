import { KeptPrices, unitsWorth, usdValue } from '@tollbridge/prices';

/** Decimals of the native coin of every EVM chain. */
const coinDecimals = 18;

/** Values payouts and their fees. */
export class PayoutPrices extends KeptPrices {
  /** Decimal dollars; null without a recent price. */
  usdOf(chain: string, token: PricedToken, amountAtomic: bigint): string | null {
    const price = this.prices.of({ chain, address: token.address });
    return price === undefined ? null : usdValue(amountAtomic, token.decimals, price.usd);
  }

  /** The value of a token amount in wei of the native coin; undefined without both prices. */
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
