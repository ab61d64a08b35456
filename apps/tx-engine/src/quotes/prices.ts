import { KeptPrices, unitsWorth, usdValue } from '@tollbridge/prices';
import type { RouteToken } from '@tollbridge/routing';

/** Dollar values of the configured tokens. Other tokens have no value. */
export class SwapPrices extends KeptPrices {
  /** Returns decimal dollars; null without a recent price. */
  value({ chain, address, decimals }: RouteToken, amountAtomic: bigint): string | null {
    const price = this.prices.of({ chain, address });
    return price === undefined ? null : usdValue(amountAtomic, decimals, price.usd);
  }

  /** Converts an amount of `given` into `wanted`; null if either price is missing. */
  worthIn(wanted: RouteToken, given: RouteToken, amountAtomic: bigint): bigint | null {
    const usd = this.value(given, amountAtomic);
    const price = this.prices.of({ chain: wanted.chain, address: wanted.address });
    if (usd === null || price === undefined) return null;
    return unitsWorth(usd, wanted.decimals, price.usd) ?? null;
  }
}
