import { chains, findToken, tokenKey, type Chain } from '@tollbridge/chains';
import {
  DefiLlama,
  KeptPrices,
  usdValue,
  type Price,
  type PricedToken,
  type PriceSource,
} from '@tollbridge/prices';
import type { CrossChainRoutes } from '@tollbridge/routing';

/** The dollar value of an amount of a token, with the prices of one point in time; null without a price. */
export type ValueOf = (symbol: string, amountAtomic: bigint) => string | null;

/** Dollar values of all pay tokens. */
export class TokenPrices extends KeptPrices {
  /** Dollars per whole token; undefined without a recent price. */
  usd(chain: string, address: string | null): string | undefined {
    return this.prices.of({ chain, address })?.usd;
  }

  /** The dollar value of an amount; null without a recent price. */
  value(
    chain: string,
    token: { address: string | null; decimals: number },
    amountAtomic: bigint,
  ): string | null {
    const price = this.usd(chain, token.address);
    return price === undefined ? null : usdValue(amountAtomic, token.decimals, price);
  }

  /**
   * The current prices of a chain's tokens, for use inside a database transaction, because it makes no external call.
   */
  valuesOf(chain: Chain): ValueOf {
    const prices = new Map(chain.tokens.map((token) => [token, this.usd(chain.id, token.address)]));
    return (symbol, amountAtomic) => {
      const token = findToken(chain, symbol);
      const price = token && prices.get(token);
      return token && price !== undefined ? usdValue(amountAtomic, token.decimals, price) : null;
    };
  }
}

/** The route provider's prices, then a second source. */
export function priceSources(routes: CrossChainRoutes | undefined, defiLlamaUrl: string): PriceSource[] {
  return [...(routes ? [routePrices(routes)] : []), ...(defiLlamaUrl ? [new DefiLlama(defiLlamaUrl)] : [])];
}

/** The prices in the route provider's token list, which covers exactly the pay tokens. */
function routePrices(routes: CrossChainRoutes): PriceSource {
  return {
    name: 'routes',
    async read(tokens, signal) {
      const listed = new Map<string, Price>();
      for (const { chain, address, priceUsd, pricedAt } of await routes.tokens(signal))
        listed.set(tokenKey(chain, address), { usd: priceUsd, atMs: pricedAt.getTime() });
      return tokens.flatMap((token) => {
        const price = listed.get(tokenKey(token.chain, token.address));
        return price ? [{ token, price }] : [];
      });
    },
  };
}

/** All tokens with prices: the tokens of all chains, with their addresses in this deployment. */
export function pricedTokens(
  known: (chainId: string) => { tokens: readonly { address: string | null }[] },
): PricedToken[] {
  return chains.flatMap(({ id }) => known(id).tokens.map(({ address }) => ({ chain: id, address })));
}
