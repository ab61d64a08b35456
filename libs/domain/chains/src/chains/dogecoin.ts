import { chain } from './descriptor';

export const dogecoin = chain({
  id: 'doge',
  caip2: 'bip122:1a91e3dace36e2be3bf030a65679fe82',
  shortName: 'doge',
  aliases: ['dogecoin'],
  name: 'Dogecoin',
  family: 'utxo',
  isDirect: false,
  // The chain uses cheap proof of work with one-minute blocks. Exchanges require 40 to 60 confirmations.
  confirmations: 40,
  blockTimeMs: 60_000,
  tokens: [{ symbol: 'DOGE', name: 'Dogecoin', decimals: 8, address: null }],
  sampleAddress: 'DLSSSUS3ex7YNDACJDxMER1ZMW579Vy8Zy',
  balanceProtocols: ['blockbook'],
  // The fee is 0.01 DOGE per started kilobyte. The amount allows for several inputs.
  coinFeeAtomic: '5000000',
  explorerTxUrl: 'https://dogechain.info/tx/{tx}',
  oneClick: { blockchain: 'doge', depositMode: 'SIMPLE' },
  defiLlama: { coinId: 'dogecoin', chain: null },
});
