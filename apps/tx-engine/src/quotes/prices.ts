import { DefiLlama, Prices, unitsWorth, usdValue } from '@tollbridge/prices';
import type { RouteToken } from '@tollbridge/routing';
import type { EvmChains } from '../chains/evm-chains';

export interface SwapPricesOptions {
  chains: EvmChains;
  defiLlamaUrl: string;
  now(): number;
  onFailure(source: string, error: unknown): void;
}

/** Dollar values of the tokens of this deployment; others have none. */
export class SwapPrices {
  private readonly prices: Prices;

  constructor({ chains: deployed, defiLlamaUrl, now, onFailure }: SwapPricesOptions) {
    const tokens = deployed.all.flatMap(({ id, tokens }) =>
      tokens.map(({ address }) => ({ chain: id, address })),
    );
    const sources = defiLlamaUrl ? [new DefiLlama(defiLlamaUrl)] : [];
    this.prices = new Prices({ sources, tokens, now, onFailure });
    // So that the first caller finds some.
    void this.prices.refresh();
  }

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

  refresh(): Promise<void> {
    return this.prices.refresh();
  }
}
