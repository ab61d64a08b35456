import type { QuoteFee, RouteStep, SwapToken } from '@tollbridge/contracts';
import type { RouteToken, SwapFee, SwapStep } from '@tollbridge/routing';
import { ZeroAddress } from 'ethers';
import type { EvmChains } from '../chains/evm-chains';
import type { SwapPrices } from './prices';

/** Converts a token to its form in the API. */
export function tokenView(chains: EvmChains, token: RouteToken): SwapToken {
  const { address, symbol, decimals } = token;
  return { address: address ?? ZeroAddress, symbol, decimals, chainId: chains.ofToken(token).chain.chainId };
}

export function stepView(chains: EvmChains, step: SwapStep): RouteStep {
  return {
    type: step.type,
    venue: step.venue,
    tokenIn: tokenView(chains, step.tokenIn),
    tokenOut: tokenView(chains, step.tokenOut),
    amountIn: String(step.amountInAtomic),
    amountOut: String(step.amountOutAtomic),
  };
}

export function feeView(chains: EvmChains, prices: SwapPrices, fee: SwapFee): QuoteFee {
  return {
    name: fee.name,
    token: tokenView(chains, fee.token),
    amount: String(fee.amountAtomic),
    amountUsd: prices.value(fee.token, fee.amountAtomic),
    included: fee.isIncluded,
  };
}
