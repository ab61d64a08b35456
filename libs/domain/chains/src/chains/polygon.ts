import { evmChain } from './descriptor';

export const polygon = evmChain({
  chainId: 137,
  shortName: 'pol',
  aliases: ['polygon', 'matic', 'polygon-pos'],
  name: 'Polygon',
  isDirect: true,
  // Milestones make blocks final within two dozen blocks. Before milestones, this chain reorganised more than a
  // hundred.
  confirmations: 32,
  blockTimeMs: 2_000,
  tokens: [
    { symbol: 'POL', name: 'Polygon Ecosystem Token', decimals: 18, address: null },
    { symbol: 'USDC', name: 'USD Coin', decimals: 6, address: '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359' },
    {
      symbol: 'USDT',
      name: 'Tether USD',
      decimals: 6,
      address: '0xc2132D05D31c914a87C6611C10748AEb04B58e8F',
    },
    {
      symbol: 'WETH',
      name: 'Wrapped Ether',
      decimals: 18,
      address: '0x7ceB23fD6bC0adD59E62ac25578270cFf1b9f619',
    },
    {
      symbol: 'DAI',
      name: 'Dai Stablecoin',
      decimals: 18,
      address: '0x8f3Cf7ad23Cd3CaDbD9735AFf958023239c6A063',
    },
  ],
  explorerTxUrl: 'https://polygonscan.com/tx/{tx}',
  oneClick: { blockchain: 'pol', depositMode: 'SIMPLE' },
  defiLlama: { coinId: 'polygon-ecosystem-token', chain: 'polygon' },
  isServedByAcross: true,
  publishedUniswapV3: {
    factory: '0x1F98431c8aD98523631AE4a59f267346ea31F984',
    quoter: '0x61fFE014bA17989E743c5F6cB21bF9697530B21e',
    router: '0x68b3465833fb72A70ecDF485E0e4C7bD8665Fc45',
    wrappedCoin: '0x0d500B1d8E8eF31E21C99d1Db9A6444d3ADf1270',
  },
  knownContracts: [{ address: '0x9295ee1d8C5b022Be115A2AD3c30C72E34e7F096', name: 'an Across SpokePool' }],
});
