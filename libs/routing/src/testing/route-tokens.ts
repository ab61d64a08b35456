import type { RouteToken } from '../cross-chain-routes';

export const usdc: RouteToken = {
  ...{ chain: 'eip155:8453', symbol: 'USDC', decimals: 6 },
  address: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
};
export const bitcoin: RouteToken = { chain: 'btc', symbol: 'BTC', address: null, decimals: 8 };
export const lumen: RouteToken = { chain: 'stellar', symbol: 'XLM', address: null, decimals: 7 };
export const tether: RouteToken = {
  ...{ chain: 'eip155:1', symbol: 'USDT', decimals: 6 },
  address: '0xdAC17F958D2ee523a2206206994597C13D831ec7',
};
