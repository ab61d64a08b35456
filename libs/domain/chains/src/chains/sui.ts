import { chain } from './descriptor';

export const sui = chain({
  id: 'sui',
  caip2: 'sui:mainnet',
  shortName: 'sui',
  aliases: ['sui-mainnet'],
  name: 'Sui',
  family: 'sui',
  isDirect: true,
  // A certified checkpoint is final.
  confirmations: 1,
  blockTimeMs: 250,
  tokens: [
    { symbol: 'SUI', name: 'Sui', decimals: 9, address: null },
    {
      symbol: 'USDC',
      name: 'USD Coin',
      decimals: 6,
      address: '0xdba34672e30cb065b1f93e3ab55318768fd6fef66c15942c9f7cb846e2f900e7::usdc::USDC',
    },
    {
      symbol: 'USDT',
      name: 'Tether USD (Sui Bridge)',
      decimals: 6,
      address: '0x375f70cf2ae4c00bf37117d0c85a2c71545e6ee05c4a5c7d282cd66a4504b068::usdt::USDT',
    },
  ],
  // Source: "Create a Sui address" in docs.sui.io.
  sampleAddress: '0x02a212de6a9dfa3a69e22387acfbafbb1a9e591bd9d636e7895dcfc8de05f331',
  balanceProtocols: ['suiGraphql', 'suiJsonRpc'],
  // https://docs.sui.io/concepts/tokenomics/gas-in-sui
  coinFeeAtomic: '10000000',
  explorerTxUrl: 'https://suivision.xyz/txblock/{tx}',
  oneClick: { blockchain: 'sui', depositMode: 'SIMPLE' },
  defiLlama: { coinId: 'sui', chain: 'sui' },
});
