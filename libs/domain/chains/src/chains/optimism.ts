import { evmChain } from './descriptor';

export const optimism = evmChain({
  chainId: 10,
  shortName: 'op',
  aliases: ['optimism', 'op-mainnet'],
  name: 'OP Mainnet',
  isDirect: true,
  // One sequencer orders the blocks, as on Base.
  confirmations: 5,
  blockTimeMs: 2_000,
  tokens: [
    { symbol: 'ETH', name: 'Ether', decimals: 18, address: null },
    { symbol: 'USDC', name: 'USD Coin', decimals: 6, address: '0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85' },
    {
      symbol: 'USDT',
      name: 'Tether USD (bridged)',
      decimals: 6,
      address: '0x94b008aA00579c1307B0EF2c499aD98a8ce58e58',
    },
    {
      symbol: 'WETH',
      name: 'Wrapped Ether',
      decimals: 18,
      address: '0x4200000000000000000000000000000000000006',
    },
    {
      symbol: 'DAI',
      name: 'Dai Stablecoin',
      decimals: 18,
      address: '0xDA10009cBd5D07dd0CeCc66161FC93D7c9000da1',
    },
  ],
  isEthereumRollup: true,
  explorerTxUrl: 'https://optimistic.etherscan.io/tx/{tx}',
  oneClick: { blockchain: 'op', depositMode: 'SIMPLE' },
  defiLlama: { coinId: 'ethereum', chain: 'optimism' },
  isServedByAcross: true,
  publishedUniswapV3: {
    factory: '0x1F98431c8aD98523631AE4a59f267346ea31F984',
    quoter: '0x61fFE014bA17989E743c5F6cB21bF9697530B21e',
    router: '0x68b3465833fb72A70ecDF485E0e4C7bD8665Fc45',
    wrappedCoin: '0x4200000000000000000000000000000000000006',
  },
  knownContracts: [{ address: '0x6f26Bf09B1C792e3228e5467807a900A503c0281', name: 'an Across SpokePool' }],
});
