import type { UniswapV3Contracts } from '@tollbridge/chains';
import type { BuiltSwap, SwapBuildRequest } from '../swap-routes';
import { routerAbi, wrappedCoinAbi } from './uniswap.abi';
import { encodePath, type SwapPath } from './uniswap.paths';

// SwapRouter02 interprets this recipient as itself.
const routerItself = '0x0000000000000000000000000000000000000002';

type Call = Pick<BuiltSwap['transaction'], 'to' | 'data' | 'valueAtomic'> & Pick<BuiltSwap, 'spender'>;

/** Encodes a swap through the pools of a path, with a minimum output and a deadline. */
export function swapCall(
  { router }: UniswapV3Contracts,
  request: SwapBuildRequest,
  { path, minOutAtomic }: { path: SwapPath; minOutAtomic: bigint },
): Call {
  const { from, to, recipient, amountInAtomic } = request;
  const givesCoin = from.address === null;
  const wantsCoin = to.address === null;
  const swap = routerAbi.encodeFunctionData('exactInput', [
    {
      path: encodePath(path),
      recipient: wantsCoin ? routerItself : recipient,
      amountIn: amountInAtomic,
      amountOutMinimum: minOutAtomic,
    },
  ]);
  const calls = [
    swap,
    ...(wantsCoin ? [routerAbi.encodeFunctionData('unwrapWETH9', [minOutAtomic, recipient])] : []),
    // Refunds the input that the pools did not use, because anyone could claim it from the router.
    ...(givesCoin ? [routerAbi.encodeFunctionData('refundETH')] : []),
  ];
  return routerCall(router, request, calls);
}

/**
 * Encodes wrapping or unwrapping native coins at 1:1, by the contract itself, or by the router for another recipient.
 */
export function wrapCall(contracts: UniswapV3Contracts, request: SwapBuildRequest): Call {
  const { wrappedCoin } = contracts;
  const { from, sender, recipient, amountInAtomic } = request;
  const wraps = from.address === null;
  if (sender.toLowerCase() === recipient.toLowerCase()) {
    const data = wraps
      ? wrappedCoinAbi.encodeFunctionData('deposit')
      : wrappedCoinAbi.encodeFunctionData('withdraw', [amountInAtomic]);
    return { to: wrappedCoin, data, valueAtomic: wraps ? amountInAtomic : 0n, spender: null };
  }
  const calls = wraps
    ? [
        routerAbi.encodeFunctionData('wrapETH', [amountInAtomic]),
        routerAbi.encodeFunctionData('sweepToken', [wrappedCoin, amountInAtomic, recipient]),
      ]
    : [
        routerAbi.encodeFunctionData('pull', [wrappedCoin, amountInAtomic]),
        routerAbi.encodeFunctionData('unwrapWETH9', [amountInAtomic, recipient]),
      ];
  return routerCall(contracts.router, request, calls);
}

function routerCall(router: string, request: SwapBuildRequest, calls: readonly string[]): Call {
  const { from, amountInAtomic, deadline } = request;
  const givesCoin = from.address === null;
  const deadlineSeconds = Math.floor(deadline.getTime() / 1_000);
  return {
    to: router,
    data: routerAbi.encodeFunctionData('multicall', [deadlineSeconds, calls]),
    valueAtomic: givesCoin ? amountInAtomic : 0n,
    spender: givesCoin ? null : router,
  };
}
