import { evmChain } from '../chains/descriptor';

/** Descriptor of an EVM chain outside of the registry, which `new-chain.int.spec.ts` of pay-orders adds. */
export const exampleChain = evmChain({
  chainId: 424_242,
  shortName: 'example',
  aliases: ['example-mainnet'],
  name: 'Example Chain',
  isDirect: true,
  confirmations: 2,
  blockTimeMs: 1_000,
  tokens: [
    { symbol: 'ETH', name: 'Ether', decimals: 18, address: null },
    { symbol: 'USDC', name: 'USD Coin', decimals: 6, address: '0x036CbD53842c5426634e7929541eC2318f3dCF7e' },
  ],
  explorerTxUrl: 'https://explorer.example/tx/{tx}',
});
