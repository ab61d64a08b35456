import { evmChain } from './descriptor';

export const bsc = evmChain({
  chainId: 56,
  shortName: 'bsc',
  aliases: ['bnb', 'binance-smart-chain', 'bnb-smart-chain'],
  name: 'BNB Smart Chain',
  isDirect: true,
  // Fast finality needs two to three blocks. Before fast finality 15 blocks were safe, and they take only seconds.
  confirmations: 15,
  blockTimeMs: 750,
  // Binance's bridged dollars have 18 decimals on BSC, and 6 on other chains.
  tokens: [
    { symbol: 'BNB', name: 'BNB', decimals: 18, address: null },
    {
      symbol: 'USDC',
      name: 'Binance-Peg USD Coin',
      decimals: 18,
      address: '0x8AC76a51cc950d9822D68b83fE1Ad97B32Cd580d',
    },
    {
      symbol: 'USDT',
      name: 'Binance-Peg BSC-USD',
      decimals: 18,
      address: '0x55d398326f99059fF775485246999027B3197955',
    },
    {
      symbol: 'ETH',
      name: 'Binance-Peg Ethereum',
      decimals: 18,
      address: '0x2170Ed0880ac9A755fd29B2688956BD959F933F8',
    },
    {
      symbol: 'DAI',
      name: 'Binance-Peg Dai',
      decimals: 18,
      address: '0x1AF3F329e8BE154074D8769D1FFa4eE058B1DBc3',
    },
  ],
  explorerTxUrl: 'https://bscscan.com/tx/{tx}',
  oneClick: { blockchain: 'bsc', depositMode: 'SIMPLE' },
  defiLlama: { coinId: 'binancecoin', chain: 'bsc' },
  isServedByAcross: true,
  publishedUniswapV3: {
    factory: '0xdB1d10011AD0Ff90774D0C6Bb92e5C5c8b4461F7',
    quoter: '0x78D78E420Da98ad378D7799bE8f4AF69033EB077',
    router: '0xB971eF87ede563556b2ED4b1C0b0019111Dd85d2',
    wrappedCoin: '0xbb4CdB9CBd36B01bD1cBaEBF2De08d9173bc095c',
  },
  knownContracts: [{ address: '0x4e8E101924eDE233C13e2D8622DC8aED2872d505', name: 'an Across SpokePool' }],
});
