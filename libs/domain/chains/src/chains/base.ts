import { evmChain } from './descriptor';

export const base = evmChain({
  chainId: 8453,
  shortName: 'base',
  aliases: ['base-mainnet'],
  name: 'Base',
  isDirect: true,
  // One sequencer orders the blocks. Only its crash can revert a few unpublished blocks.
  confirmations: 5,
  blockTimeMs: 2_000,
  tokens: [
    { symbol: 'ETH', name: 'Ether', decimals: 18, address: null },
    { symbol: 'USDC', name: 'USD Coin', decimals: 6, address: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913' },
    {
      symbol: 'USDT',
      name: 'Tether USD (bridged)',
      decimals: 6,
      address: '0xfde4C96c8593536E31F229EA8f37b2ADa2699bb2',
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
      address: '0x50c5725949A6F0c72E6C4a641F24049A917DB0Cb',
    },
  ],
  isEthereumRollup: true,
  explorerTxUrl: 'https://basescan.org/tx/{tx}',
  oneClick: { blockchain: 'base', depositMode: 'SIMPLE' },
  defiLlama: { coinId: 'ethereum', chain: 'base' },
  isServedByAcross: true,
  publishedUniswapV3: {
    factory: '0x33128a8fC17869897dcE68Ed026d694621f6FDfD',
    quoter: '0x3d4e44Eb1374240CE5F1B871ab261CD16335B76a',
    router: '0x2626664c2603336E57B271c5C0b26F421741e481',
    wrappedCoin: '0x4200000000000000000000000000000000000006',
  },
  knownContracts: [{ address: '0x09aea4b2242abC8bb4BB78D537A67a245A7bEC64', name: 'an Across SpokePool' }],
  // The cap is active since the Azul upgrade.
  capsTransactionGas: true,
});
