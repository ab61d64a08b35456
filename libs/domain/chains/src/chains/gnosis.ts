import { evmChain } from './descriptor';

export const gnosis = evmChain({
  id: 'gnosis',
  chainId: 100,
  shortName: 'gnosis',
  aliases: ['xdai', 'gno'],
  name: 'Gnosis',
  isDirect: false,
  // The consensus is Ethereum's with shorter slots, so the number of blocks is the same.
  confirmations: 12,
  blockTimeMs: 5_000,
  tokens: [
    { symbol: 'xDAI', name: 'xDAI', decimals: 18, address: null },
    {
      // The contract is named USDC.e. The chain has two bridged versions of USDC, and providers route this version.
      symbol: 'USDC',
      name: 'USD Coin (bridged)',
      decimals: 6,
      address: '0x2a22f9c3b484c3629090FeED35F17Ff8F88f76F0',
    },
    {
      symbol: 'USDT',
      name: 'Tether USD (bridged)',
      decimals: 6,
      address: '0x4ECaBa5870353805a9F068101A40E0f32ed605C6',
    },
    {
      symbol: 'WETH',
      name: 'Wrapped Ether (bridged)',
      decimals: 18,
      address: '0x6A023CCd1ff6F2045C3309768eAd9E68F978f6e1',
    },
  ],
  explorerTxUrl: 'https://gnosisscan.io/tx/{tx}',
  oneClick: { blockchain: 'gnosis', depositMode: 'SIMPLE' },
  defiLlama: { coinId: 'xdai', chain: 'xdai' },
});
