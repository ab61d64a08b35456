import { chain } from './descriptor';

export const zcash = chain({
  id: 'zec',
  caip2: 'bip122:00040fe8ec8471911baa1db1266ea15d',
  shortName: 'zec',
  aliases: ['zcash'],
  name: 'Zcash',
  family: 'utxo',
  isDirect: false,
  // Half an hour of proof of work, the depth that large exchanges ask.
  confirmations: 24,
  blockTimeMs: 75_000,
  // All coins that can exist.
  tokens: [{ symbol: 'ZEC', name: 'Zcash', decimals: 8, address: null, maxAmountAtomic: '2100000000000000' }],
  // ZIP 320.
  sampleAddress: 't1VmmGiyjVNeCjxDZzg7vZmd99WyzVby9yC',
  balanceProtocols: ['blockbook'],
  // 5,000 for each input or output beyond two. https://zips.z.cash/zip-0317
  coinFeeAtomic: '50000',
  explorerTxUrl: 'https://3xpl.com/zcash/transaction/{tx}',
  oneClick: { blockchain: 'zec', depositMode: 'SIMPLE' },
  defiLlama: { coinId: 'zcash', chain: null },
});
