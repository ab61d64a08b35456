// The data of simulated swap providers: tokens, prices, and the path between two tokens.
import type { RouteToken } from '../cross-chain-routes';
import type { SwapStepType } from '../swap-routes';
import { arbDai, arbEther, arbUsdc, baseDai, baseEther, baseUsdc } from './route-tokens';

export const zeroAddress = '0x0000000000000000000000000000000000000000';
/** The contract that executes swaps. It is also the spender of the tokens. */
export const swapContract = '0x00000000000000000000000000000000005A4B01';
export const sender = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
export const recipient = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
/** Returns call data of the swap contract that contains the recipient. */
export const callFor = (address: string): string =>
  `0xad5425c6${address.slice(2).toLowerCase().padStart(64, '0')}`;
export const hashOf = (number: number): string => `0x${number.toString(16).padStart(64, '0')}`;

const baseWeth: RouteToken = {
  chain: 'eip155:8453',
  symbol: 'WETH',
  decimals: 18,
  address: '0x4200000000000000000000000000000000000006',
};
const arbWeth: RouteToken = {
  chain: 'eip155:42161',
  symbol: 'WETH',
  decimals: 18,
  address: '0x82aF49447D8a07e3bd95BD0d56f35241523fBab1',
};
const known = [baseUsdc, baseEther, baseWeth, baseDai, arbUsdc, arbEther, arbWeth, arbDai];

const chainIdOf = ({ chain }: RouteToken): number => Number(chain.split(':')[1]);
const usdOf = ({ symbol }: RouteToken): bigint => (symbol.endsWith('ETH') ? 2_000n : 1n);

export function knownToken(chainId: string | null, address: string | null): RouteToken | undefined {
  return known.find((token) => {
    const isAddress = (token.address ?? zeroAddress).toLowerCase() === address?.toLowerCase();
    return isAddress && String(chainIdOf(token)) === chainId;
  });
}

/** Returns the token in the format of providers. */
export const wireToken = (token: RouteToken) => ({
  address: token.address ?? zeroAddress,
  chainId: chainIdOf(token),
  symbol: token.symbol,
  decimals: token.decimals,
  name: token.symbol,
});

/** Returns the wrapped token of a native coin, like providers that wrap native coins themselves. */
export function wrapped(token: RouteToken): RouteToken {
  if (token.address !== null) return token;
  return token.chain === baseWeth.chain ? baseWeth : arbWeth;
}

export interface ScriptedStep {
  type: SwapStepType;
  from: RouteToken;
  to: RouteToken;
  amountInAtomic: bigint;
  amountOutAtomic: bigint;
}

// Each step deducts a fee of 10 basis points.
const keptBps = 9_990n;

/** Returns the path over USDC: at most a swap, the bridge, and another swap. */
export function wayOf(ends: { from: RouteToken; to: RouteToken }, amountInAtomic: bigint): ScriptedStep[] {
  const [from, to] = [wrapped(ends.from), wrapped(ends.to)];
  const [origin, destination] = from.chain === baseUsdc.chain ? [baseUsdc, arbUsdc] : [arbUsdc, baseUsdc];
  const legs: [SwapStepType, RouteToken, RouteToken][] =
    from.chain === to.chain
      ? [['originSwap', from, to]]
      : [
          ['originSwap', from, origin],
          ['bridge', origin, destination],
          ['destinationSwap', destination, to],
        ];
  let amount = amountInAtomic;
  return legs
    .filter(([, a, b]) => a !== b)
    .map(([type, a, b]) => {
      const step = { type, from: a, to: b, amountInAtomic: amount };
      const value = amount * usdOf(a) * 10n ** BigInt(b.decimals) * keptBps;
      amount = value / (usdOf(b) * 10n ** BigInt(a.decimals) * 10_000n);
      return { ...step, amountOutAtomic: amount };
    });
}

/**
 * Returns an amount less the slippage, which is a decimal such as `0.005`. Rounds up, because the result is a
 * guarantee.
 */
export function afterSlippage(amountAtomic: bigint, slippage: string | null): bigint {
  const bps = BigInt(Math.round(Number(slippage ?? '0') * 10_000));
  return amountAtomic - (amountAtomic * bps) / 10_000n;
}
