import { evmChain } from './descriptor';

export const scroll = evmChain({
  id: 'scroll',
  chainId: 534352,
  shortName: 'scroll',
  aliases: ['scroll-mainnet'],
  name: 'Scroll',
  isDirect: false,
  // The single sequencer has reverted blocks in an incident. Half a minute is used instead of a few seconds.
  confirmations: 10,
  blockTimeMs: 3_000,
  tokens: [
    { symbol: 'ETH', name: 'Ether', decimals: 18, address: null },
    {
      symbol: 'USDC',
      name: 'USD Coin (bridged)',
      decimals: 6,
      address: '0x06eFdBFf2a14a7c8E15944D1F4A48F9F95F663A4',
    },
    {
      symbol: 'USDT',
      name: 'Tether USD (bridged)',
      decimals: 6,
      address: '0xf55BEC9cafDbE8730f096Aa55dad6D22d44099Df',
    },
    {
      symbol: 'WETH',
      name: 'Wrapped Ether',
      decimals: 18,
      address: '0x5300000000000000000000000000000000000004',
    },
    {
      symbol: 'DAI',
      name: 'Dai Stablecoin (bridged)',
      decimals: 18,
      address: '0xcA77eB3fEFe3725Dc33bccB54eDEFc3D9f764f97',
    },
  ],
  isEthereumRollup: true,
  explorerTxUrl: 'https://scrollscan.com/tx/{tx}',
  oneClick: { blockchain: 'scroll', depositMode: 'SIMPLE' },
  defiLlama: { coinId: 'ethereum', chain: 'scroll' },
  isServedByAcross: true,
  knownContracts: [{ address: '0x3baD7AD0728f9917d1Bf08af5782dCbD516cDd96', name: 'an Across SpokePool' }],
});
