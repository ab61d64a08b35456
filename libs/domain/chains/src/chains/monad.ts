import { evmChain } from './descriptor';

export const monad = evmChain({
  id: 'monad',
  chainId: 143,
  shortName: 'monad',
  aliases: ['mon', 'monad-mainnet'],
  name: 'Monad',
  isDirect: false,
  // A block is final after two further blocks.
  confirmations: 3,
  blockTimeMs: 400,
  tokens: [
    { symbol: 'MON', name: 'Monad', decimals: 18, address: null },
    { symbol: 'USDC', name: 'USD Coin', decimals: 6, address: '0x754704Bc059F8C67012fEd69BC8A327a5aafb603' },
    {
      // The contract is named USDT0.
      symbol: 'USDT',
      name: 'Tether USD',
      decimals: 6,
      address: '0xe7cd86e13AC4309349F30B3435a9d337750fC82D',
    },
  ],
  explorerTxUrl: 'https://monadscan.com/tx/{tx}',
  oneClick: { blockchain: 'monad', depositMode: 'SIMPLE' },
  defiLlama: { coinId: 'monad', chain: 'monad' },
  isServedByAcross: true,
});
