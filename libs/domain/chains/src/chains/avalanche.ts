import { evmChain } from './descriptor';

export const avalanche = evmChain({
  chainId: 43114,
  shortName: 'avax',
  aliases: ['avalanche', 'avalanche-c'],
  name: 'Avalanche C-Chain',
  isDirect: true,
  // An accepted block is final, and nodes return only accepted blocks.
  confirmations: 1,
  blockTimeMs: 2_000,
  tokens: [
    { symbol: 'AVAX', name: 'Avalanche', decimals: 18, address: null },
    { symbol: 'USDC', name: 'USD Coin', decimals: 6, address: '0xB97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E' },
    {
      symbol: 'USDT',
      name: 'Tether USD',
      decimals: 6,
      address: '0x9702230A8Ea53601f5cD2dc00fDBc13d4dF4A8c7',
    },
    {
      symbol: 'WETH.e',
      name: 'Wrapped Ether (bridged)',
      decimals: 18,
      address: '0x49D5c2BdFfac6CE2BFdB6640F4F80f226bc10bAB',
    },
    {
      symbol: 'DAI.e',
      name: 'Dai Stablecoin (bridged)',
      decimals: 18,
      address: '0xd586E7F844cEa2F87f50152665BCbc2C279D8d70',
    },
  ],
  explorerTxUrl: 'https://snowtrace.io/tx/{tx}',
  oneClick: { blockchain: 'avax', depositMode: 'SIMPLE' },
  defiLlama: { coinId: 'avalanche-2', chain: 'avax' },
  publishedUniswapV3: {
    factory: '0x740b1c1de25031C31FF4fC9A62f554A55cdC1baD',
    quoter: '0xbe0F5544EC67e9B3b2D979aaA43f18Fd87E6257F',
    router: '0xbb00FF08d01D300023C629E8fFfFcb65A5a578cE',
    wrappedCoin: '0xB31f66AA3C1e785363F0875A1B74E27b85FD66c7',
  },
});
