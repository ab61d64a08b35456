import { evmChain } from './descriptor';

export const ethereum = evmChain({
  chainId: 1,
  shortName: 'eth',
  aliases: ['ethereum'],
  name: 'Ethereum',
  isDirect: true,
  // Since proof of stake, reorganisations were a few blocks deep. Payment services require 12 blocks; finality needs
  // 64.
  confirmations: 12,
  blockTimeMs: 12_000,
  tokens: [
    { symbol: 'ETH', name: 'Ether', decimals: 18, address: null },
    { symbol: 'USDC', name: 'USD Coin', decimals: 6, address: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48' },
    {
      symbol: 'USDT',
      name: 'Tether USD',
      decimals: 6,
      address: '0xdAC17F958D2ee523a2206206994597C13D831ec7',
    },
    {
      symbol: 'WETH',
      name: 'Wrapped Ether',
      decimals: 18,
      address: '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2',
    },
    {
      symbol: 'DAI',
      name: 'Dai Stablecoin',
      decimals: 18,
      address: '0x6B175474E89094C44Da98b954EedeAC495271d0F',
    },
  ],
  explorerTxUrl: 'https://etherscan.io/tx/{tx}',
  oneClick: { blockchain: 'eth', depositMode: 'SIMPLE' },
  defiLlama: { coinId: 'ethereum', chain: 'ethereum' },
  isServedByAcross: true,
  publishedUniswapV3: {
    factory: '0x1F98431c8aD98523631AE4a59f267346ea31F984',
    quoter: '0x61fFE014bA17989E743c5F6cB21bF9697530B21e',
    router: '0x68b3465833fb72A70ecDF485E0e4C7bD8665Fc45',
    wrappedCoin: '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2',
  },
  knownContracts: [{ address: '0x5c7BCd6E7De5423a257D81B442095A1a6ced35C5', name: 'an Across SpokePool' }],
  // The cap is active since the Fusaka upgrade.
  capsTransactionGas: true,
});
