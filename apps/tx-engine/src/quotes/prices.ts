import { KeptPrices, unitsWorth, usdValue } from '@tollbridge/prices';
import type { RouteToken } from '@tollbridge/routing';

/** Dollar values of the tokens of this deployment; others have none. */
export class SwapPrices extends KeptPrices {
  /** Decimal string of dollars; null without a recent price. */
  value({ chain, address, decimals }: RouteToken, amountAtomic: bigint): string | null {
    const price = this.prices.of({ chain, address });
    return price === undefined ? null : usdValue(amountAtomic, decimals, price.usd);
  }

  /** How much of a token an amount of another is worth; null without both prices. */
  worthIn(wanted: RouteToken, given: RouteToken, amountAtomic: bigint): bigint | null {
    const usd = this.value(given, amountAtomic);
    const price = this.prices.of({ chain: wanted.chain, address: wanted.address });
    if (usd === null || price === undefined) return null;
    return unitsWorth(usd, wanted.decimals, price.usd) ?? null;
  }
}
