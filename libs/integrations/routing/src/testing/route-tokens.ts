import type { RouteToken } from '../cross-chain-routes';

export const usdc: RouteToken = {
  chain: 'eip155:8453',
  symbol: 'USDC',
  decimals: 6,
  address: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
};
export const bitcoin: RouteToken = { chain: 'btc', symbol: 'BTC', address: null, decimals: 8 };
export const lumen: RouteToken = { chain: 'stellar', symbol: 'XLM', address: null, decimals: 7 };
export const tether: RouteToken = {
  chain: 'eip155:1',
  symbol: 'USDT',
  decimals: 6,
  address: '0xdAC17F958D2ee523a2206206994597C13D831ec7',
};

/** Tokens of two chains with swaps. */
export const baseEther: RouteToken = { chain: 'eip155:8453', symbol: 'ETH', address: null, decimals: 18 };
export const baseUsdc = usdc;
export const arbUsdc: RouteToken = {
  chain: 'eip155:42161',
  symbol: 'USDC',
  decimals: 6,
  address: '0xaf88d065e77c8cC2239327C5EDb3A432268e5831',
};
export const arbEther: RouteToken = { chain: 'eip155:42161', symbol: 'ETH', address: null, decimals: 18 };
export const arbDai: RouteToken = {
  chain: 'eip155:42161',
  symbol: 'DAI',
  decimals: 18,
  address: '0xDA10009cBd5D07dd0CeCc66161FC93D7c9000da1',
};
export const baseDai: RouteToken = {
  chain: 'eip155:8453',
  symbol: 'DAI',
  decimals: 18,
  address: '0x50c5725949A6F0c72E6C4a641F24049A917DB0Cb',
};
