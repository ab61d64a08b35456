/** Initial prices by symbol, in US dollars. A test or a user can change them. */
export const seedPrices: Readonly<Record<string, string>> = {
  ADA: '0.85',
  ALEO: '0.22',
  APT: '4.6',
  AVAX: '28.4',
  BCH: '590',
  BERA: '2.1',
  BNB: '890',
  BTC: '112000',
  DAI: '0.9998',
  'DAI.e': '0.9998',
  DASH: '48',
  DOGE: '0.24',
  ETH: '4200',
  LTC: '116',
  MON: '0.05',
  NEAR: '2.85',
  POL: '0.24',
  SOL: '205',
  STRK: '0.13',
  SUI: '3.4',
  TON: '3.1',
  TRX: '0.34',
  USDC: '1',
  USDT: '1.0002',
  WETH: '4200',
  'WETH.e': '4200',
  XLM: '0.38',
  XRP: '2.9',
  ZEC: '62',
  xDAI: '0.9998',
};

export const coingeckoIds: Readonly<Record<string, string>> = {
  ADA: 'cardano',
  ALEO: 'aleo',
  APT: 'aptos',
  AVAX: 'avalanche-2',
  BCH: 'bitcoin-cash',
  BERA: 'berachain-bera',
  BNB: 'binancecoin',
  BTC: 'bitcoin',
  DAI: 'dai',
  DASH: 'dash',
  DOGE: 'dogecoin',
  ETH: 'ethereum',
  LTC: 'litecoin',
  MON: 'monad',
  NEAR: 'near',
  POL: 'polygon-ecosystem-token',
  SOL: 'solana',
  STRK: 'starknet',
  SUI: 'sui',
  TON: 'the-open-network',
  TRX: 'tron',
  USDC: 'usd-coin',
  USDT: 'tether',
  WETH: 'weth',
  XLM: 'stellar',
  XRP: 'ripple',
  ZEC: 'zcash',
  xDAI: 'xdai',
};

export interface Price {
  symbol: string;
  /** US dollars for one whole token, as a decimal string. */
  usd: string;
  /** Time of the price; null while it is current. */
  frozenAt: Date | null;
}

/** Decimals of a price, and of dollar amounts on the wire. */
export const usdDecimals = 12;
/** At most 9,999,999 dollars for a token, with twelve decimals. */
export const usdForm = /^(0|[1-9][0-9]{0,6})(\.[0-9]{1,12})?$/;
