import { findChain } from '@tollbridge/chains';
import type { RouteToken, SwapStep } from '@tollbridge/routing';
import { arbDai as dai, baseEther as coin, baseUsdc as usdc } from '@tollbridge/routing/testing';

export const base = findChain('base')!.id;
export const arbitrum = findChain('arb')!.id;
export const usdt: RouteToken = {
  chain: base,
  symbol: 'USDT',
  address: '0xfde4C96c8593536E31F229EA8f37b2ADa2699bb2',
  decimals: 6,
};
export { coin, dai, usdc };
export const user = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
export const router = '0x2626664c2603336E57B271c5C0b26F421741e481';
export const hashOf = (byte: string): string => `0x${byte.repeat(32)}`;

const step = (type: SwapStep['type'], tokenIn: RouteToken, tokenOut: RouteToken): SwapStep => {
  return { type, venue: 'test', tokenIn, tokenOut, amountInAtomic: 100n, amountOutAtomic: 99n };
};
export const oneChain = [step('originSwap', usdt, usdc)];
export const acrossChains = [
  step('originSwap', usdt, usdc),
  step('bridge', usdc, { ...dai, symbol: 'USDC' }),
  step('destinationSwap', { ...dai, symbol: 'USDC' }, dai),
];
