import { evmChain } from './descriptor';

export const berachain = evmChain({
  id: 'bera',
  chainId: 80094,
  shortName: 'bera',
  aliases: ['berachain'],
  name: 'Berachain',
  isDirect: false,
  // Validators use Byzantine agreement, so a block is final immediately.
  confirmations: 1,
  blockTimeMs: 2_000,
  tokens: [
    { symbol: 'BERA', name: 'Berachain', decimals: 18, address: null },
    {
      // The contract is named USDC.e.
      symbol: 'USDC',
      name: 'USD Coin (bridged)',
      decimals: 6,
      address: '0x549943e04f40284185054145c6E4e9568C1D3241',
    },
    {
      // The contract is named USDT0.
      symbol: 'USDT',
      name: 'Tether USD',
      decimals: 6,
      address: '0x779Ded0c9e1022225f8E0630b35a9b54bE713736',
    },
  ],
  explorerTxUrl: 'https://berascan.com/tx/{tx}',
  oneClick: { blockchain: 'bera', depositMode: 'SIMPLE' },
  defiLlama: { coinId: 'berachain-bera', chain: 'berachain' },
});
