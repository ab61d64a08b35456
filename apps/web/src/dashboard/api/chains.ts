import { useQuery } from '@tanstack/react-query';
import type * as sdk from '@tollbridge/sdk';
import { formatUnits } from '../format/amounts';
import { shorten } from '../format/texts';
import { api, dataOf } from './client';

export type Chain = sdk.ChainView;

/** Chains and their tokens, which change only with a deployment. */
export function useChains() {
  return useQuery({
    queryKey: ['chains'],
    queryFn: () => dataOf(api.GET('/api/v1/pay/chains')),
    select: ({ details }) => new Chains(details),
    staleTime: Infinity,
    refetchInterval: false,
  });
}

export class Chains {
  constructor(readonly all: readonly Chain[]) {}

  /** Chains where payers call the payment contract. */
  get direct(): readonly Chain[] {
    return this.all.filter((chain) => chain.is_direct && chain.is_available);
  }

  find(id: string): Chain | undefined {
    return this.all.find((chain) => [chain.id, chain.caip2, chain.short_name].includes(id));
  }

  nameOf(id: string): string {
    return this.find(id)?.name ?? id;
  }

  decimalsOf(id: string, symbol: string): number | undefined {
    return this.find(id)?.tokens.find((token) => token.symbol === symbol)?.decimals;
  }

  /** The page of a transaction in an explorer; undefined without one. */
  explorerUrl(id: string, hash: string): string | undefined {
    const template = this.find(id)?.explorer_tx_url;
    // The operator configures the template, so only a web address becomes a link.
    return template && /^https?:/.test(template)
      ? template.replace('{tx}', encodeURIComponent(hash))
      : undefined;
  }

  /**
   * For example `1.5 USDC`. The amount stays in the smallest unit when the token is unknown. An unknown token may be
   * given by its contract.
   */
  amountOf(atomic: string, symbol: string, id: string): string {
    const decimals = this.decimalsOf(id, symbol);
    return decimals === undefined
      ? `${atomic} units of ${shorten(symbol)}`
      : `${formatUnits(atomic, decimals)} ${symbol}`;
  }
}
