import { uniswapOn } from '@tollbridge/chains';
import type { Logger } from '@tollbridge/observability';
import { Across, LiFi, SwapRouter, Uniswap, type SwapRoutes } from '@tollbridge/routing';
import type { EvmChains } from '../chains/evm-chains';
import type { GasPrices } from '../chains/gas-prices';
import type { TxEngineConfig } from '../config';
import type { SwapPrices } from './prices';

/**
 * Uniswap for swaps on one chain, Across between two chains. LI.FI has a low rate limit, so it is asked last. Providers
 * without a configured URL are left out.
 */
export function createSwapRouter(
  chains: EvmChains,
  gasPrices: GasPrices,
  prices: SwapPrices,
  config: TxEngineConfig,
  logger: Logger,
): SwapRouter {
  return new SwapRouter({
    providers: [uniswap(chains), ...across(config)],
    lastResorts: lifi(config),
    gasCostInOutput: ({ from, to }, gasUnits) => {
      const { chainId } = chains.ofToken(from).chain;
      const perUnit = gasPrices.last(chainId);
      return perUnit === undefined ? null : prices.worthIn(to, chains.coin(chainId), gasUnits * perUnit);
    },
    onFailure: (provider, error) => logger.warn({ provider, err: error }, 'swap provider quote failed'),
  });
}

function uniswap(chains: EvmChains): SwapRoutes {
  const venues = chains.all.flatMap((chain) => {
    const contracts = uniswapOn(chain);
    return contracts ? [{ chain, reads: chains.rpc(chain.chainId), contracts }] : [];
  });
  return new Uniswap({ chains: venues });
}

function across(config: TxEngineConfig): SwapRoutes[] {
  const { ACROSS_URL: baseUrl, ACROSS_API_KEY: apiKey, ACROSS_INTEGRATOR_ID: integratorId } = config;
  return baseUrl
    ? [new Across({ baseUrl, ...(apiKey && { apiKey }), ...(integratorId && { integratorId }) })]
    : [];
}

function lifi({
  LIFI_URL: baseUrl,
  LIFI_API_KEY: apiKey,
  LIFI_INTEGRATOR: integrator,
}: TxEngineConfig): SwapRoutes[] {
  return baseUrl ? [new LiFi({ baseUrl, ...(apiKey && { apiKey }), ...(integrator && { integrator }) })] : [];
}
