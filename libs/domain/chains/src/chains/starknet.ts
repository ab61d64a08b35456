import { chain } from './descriptor';

export const starknet = chain({
  id: 'starknet',
  caip2: 'starknet:SN_MAIN',
  shortName: 'starknet',
  aliases: ['strk', 'starknet:mainnet'],
  name: 'Starknet',
  family: 'starknet',
  isDirect: false,
  // The sequencers agree on L2 blocks. A second block covers a lagging node.
  confirmations: 2,
  blockTimeMs: 5_000,
  tokens: [
    { symbol: 'STRK', name: 'Starknet', decimals: 18, address: null },
    {
      symbol: 'USDC',
      name: 'USD Coin',
      decimals: 6,
      address: '0x033068f6539f8e6e6b131e6b2b814e6c34a5224bc66947c47dab9dfee93b35fb',
    },
    {
      symbol: 'USDT',
      name: 'Tether USD (bridged)',
      decimals: 6,
      address: '0x068f5c6a61780768455de69077e07e89787839bf8166decfbf92b645209c0fb8',
    },
    {
      symbol: 'ETH',
      name: 'Ether (bridged)',
      decimals: 18,
      address: '0x049d36570d4e46f48e99674bd3fcc84644ddd6b96f7c741b1562b82f9e004dc7',
    },
  ],
  // Source: validateAndParseAddress of starknet.js.
  sampleAddress: '0x02fd23d9182193775423497fc0c472e156c57c69e4089a1967fb288a2d84e914',
  balanceProtocols: ['starknet'],
  coinFeeAtomic: '200000000000000000',
  explorerTxUrl: 'https://starkscan.co/tx/{tx}',
  oneClick: { blockchain: 'starknet', depositMode: 'SIMPLE' },
  defiLlama: { coinId: 'starknet', chain: null },
});
