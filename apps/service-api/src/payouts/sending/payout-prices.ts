import { Prices, unitsWorth, usdValue, type PriceSource } from '@tollbridge/prices';
import type { EvmChain } from '@tollbridge/chains';

export interface PayoutPricesOptions {
  chains: readonly EvmChain[];
  sources: readonly PriceSource[];
  now(): number;
  onFailure(source: string, error: unknown): void;
}

/** Of every EVM chain's coin. */
const coinDecimals = 18;

/** What payouts and their fees are worth. */
export class PayoutPrices {
  /** Null without a source: nobody has to be asked again and again. */
  private readonly prices: Prices | null;

  constructor({ chains, sources, now, onFailure }: PayoutPricesOptions) {
    const tokens = chains.flatMap(({ id, tokens }) => tokens.map(({ address }) => ({ chain: id, address })));
    this.prices = sources.length === 0 ? null : new Prices({ sources, tokens, now, onFailure });
    // So that the first caller finds some.
    void this.prices?.refresh();
  }

  /** Decimal dollars; null without a recent price. */
  usdOf(chain: string, token: PricedToken, amountAtomic: bigint): string | null {
    const price = this.prices?.of({ chain, address: token.address });
    return price === undefined ? null : usdValue(amountAtomic, token.decimals, price.usd);
  }

  /** How much of the chain's coin an amount of a token is worth, in wei; undefined without both prices. */
  weiOf(chain: string, token: PricedToken, amountAtomic: bigint): bigint | undefined {
    const usd = this.usdOf(chain, token, amountAtomic);
    const coin = this.prices?.of({ chain, address: null });
    return usd === null || coin === undefined ? undefined : unitsWorth(usd, coinDecimals, coin.usd);
  }
}

interface PricedToken {
  address: string;
  decimals: number;
}
