import { evmChain } from './descriptor';

export const arbitrum = evmChain({
  chainId: 42161,
  shortName: 'arb',
  aliases: ['arbitrum', 'arbitrum-one'],
  name: 'Arbitrum One',
  isDirect: true,
  // The single sequencer produces four blocks a second. 20 blocks take five seconds, like fewer blocks on Base.
  confirmations: 20,
  blockTimeMs: 250,
  tokens: [
    { symbol: 'ETH', name: 'Ether', decimals: 18, address: null },
    { symbol: 'USDC', name: 'USD Coin', decimals: 6, address: '0xaf88d065e77c8cC2239327C5EDb3A432268e5831' },
    {
      // The contract has been named USDT0 since 2025. Providers and wallets still use the plain symbol.
      symbol: 'USDT',
      name: 'Tether USD',
      decimals: 6,
      address: '0xFd086bC7CD5C481DCC9C85ebE478A1C0b69FCbb9',
    },
    {
      symbol: 'WETH',
      name: 'Wrapped Ether',
      decimals: 18,
      address: '0x82aF49447D8a07e3bd95BD0d56f35241523fBab1',
    },
    {
      symbol: 'DAI',
      name: 'Dai Stablecoin',
      decimals: 18,
      address: '0xDA10009cBd5D07dd0CeCc66161FC93D7c9000da1',
    },
  ],
  isEthereumRollup: true,
  explorerTxUrl: 'https://arbiscan.io/tx/{tx}',
  oneClick: { blockchain: 'arb', depositMode: 'SIMPLE' },
  defiLlama: { coinId: 'ethereum', chain: 'arbitrum' },
  isServedByAcross: true,
  publishedUniswapV3: {
    factory: '0x1F98431c8aD98523631AE4a59f267346ea31F984',
    quoter: '0x61fFE014bA17989E743c5F6cB21bF9697530B21e',
    router: '0x68b3465833fb72A70ecDF485E0e4C7bD8665Fc45',
    wrappedCoin: '0x82aF49447D8a07e3bd95BD0d56f35241523fBab1',
  },
  knownContracts: [{ address: '0xe35e9842fceaCA96570B734083f4a58e8F7C5f2A', name: 'an Across SpokePool' }],
});
