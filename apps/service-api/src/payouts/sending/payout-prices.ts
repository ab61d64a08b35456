import { KeptPrices, unitsWorth, usdValue } from '@tollbridge/prices';

/** Decimals of the native coin of every EVM chain. */
const coinDecimals = 18;

/** Computes the values of payouts and their fees. */
export class PayoutPrices extends KeptPrices {
  /** Decimal dollars; null without a recent price. */
  usdOf(chain: string, token: PricedToken, amountAtomic: bigint): string | null {
    const price = this.prices.of({ chain, address: token.address });
    return price === undefined ? null : usdValue(amountAtomic, token.decimals, price.usd);
  }

  /** Returns the value of a token amount in wei of the native coin; undefined unless both prices are known. */
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
