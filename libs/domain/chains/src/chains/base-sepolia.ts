import { evmChain } from './descriptor';

export const baseSepolia = evmChain({
  chainId: 84532,
  shortName: 'base-sepolia',
  aliases: ['basesepolia', 'base-testnet'],
  name: 'Base Sepolia',
  isDirect: true,
  isTestnet: true,
  // A test network without value. Two blocks test the wait for confirmations without slowing down tests.
  confirmations: 2,
  blockTimeMs: 2_000,
  tokens: [
    { symbol: 'ETH', name: 'Ether (test)', decimals: 18, address: null },
    {
      symbol: 'USDC',
      name: 'USD Coin (test)',
      decimals: 6,
      address: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
    },
    {
      symbol: 'WETH',
      name: 'Wrapped Ether (test)',
      decimals: 18,
      address: '0x4200000000000000000000000000000000000006',
    },
  ],
  isEthereumRollup: true,
  explorerTxUrl: 'https://sepolia.basescan.org/tx/{tx}',
  isServedByAcross: true,
  publishedUniswapV3: {
    factory: '0x4752ba5DBc23f44D87826276BF6Fd6b1C372aD24',
    quoter: '0xC5290058841028F1614F3A6F0F5816cAd0df5E27',
    router: '0x94cC0AaC535CCDB3C01d6787D6413C739ae12bc4',
    wrappedCoin: '0x4200000000000000000000000000000000000006',
  },
  knownContracts: [{ address: '0x82B564983aE7274c86695917BBf8C99ECb6F0F8F', name: 'an Across SpokePool' }],
  // The cap is active since the Azul upgrade.
  capsTransactionGas: true,
});
