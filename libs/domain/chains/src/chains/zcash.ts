import { chain } from './descriptor';

export const zcash = chain({
  id: 'zec',
  caip2: 'bip122:00040fe8ec8471911baa1db1266ea15d',
  shortName: 'zec',
  aliases: ['zcash'],
  name: 'Zcash',
  family: 'utxo',
  isDirect: false,
  // The chain uses proof of work. Half an hour of blocks is the depth that large exchanges require.
  confirmations: 24,
  blockTimeMs: 75_000,
  // The total supply of coins.
  tokens: [{ symbol: 'ZEC', name: 'Zcash', decimals: 8, address: null, maxAmountAtomic: '2100000000000000' }],
  // Source: ZIP 320.
  sampleAddress: 't1VmmGiyjVNeCjxDZzg7vZmd99WyzVby9yC',
  balanceProtocols: ['blockbook'],
  // The fee is 5,000 zatoshis per input or output beyond two. https://zips.z.cash/zip-0317
  coinFeeAtomic: '50000',
  explorerTxUrl: 'https://3xpl.com/zcash/transaction/{tx}',
  oneClick: { blockchain: 'zec', depositMode: 'SIMPLE' },
  defiLlama: { coinId: 'zcash', chain: null },
});
