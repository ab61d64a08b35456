import { chain } from './descriptor';

export const near = chain({
  id: 'near',
  // The name is a common convention that is not in the CAIP registry.
  caip2: 'near:mainnet',
  shortName: 'near',
  aliases: ['near-mainnet', 'near-protocol'],
  name: 'NEAR',
  family: 'near',
  isDirect: false,
  // The finality "final" means two further blocks.
  confirmations: 3,
  blockTimeMs: 600,
  tokens: [
    { symbol: 'NEAR', name: 'NEAR', decimals: 24, address: null },
    {
      symbol: 'USDC',
      name: 'USD Coin',
      decimals: 6,
      address: '17208628f84f5d6ad33f0da3bbbeb27ffcb398eac501a31bd6ad2011e36133a1',
    },
    { symbol: 'USDT', name: 'Tether USD', decimals: 6, address: 'usdt.tether-token.near' },
  ],
  // Source: "Implicit accounts" in docs.near.org.
  sampleAddress: '98793cd91a3f870fb126f66285808c7e094afcfc4eda8a970f6648cdf0dbd6de',
  balanceProtocols: ['near'],
  coinFeeAtomic: '10000000000000000000000',
  explorerTxUrl: 'https://nearblocks.io/txns/{tx}',
  oneClick: { blockchain: 'near', depositMode: 'SIMPLE' },
  defiLlama: { coinId: 'near', chain: 'near' },
});
