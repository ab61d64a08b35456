import { chain } from './descriptor';

export const dash = chain({
  id: 'dash',
  caip2: 'bip122:00000ffd590b1485b3caadc19b22e637',
  shortName: 'dash',
  aliases: ['dashcoin'],
  name: 'Dash',
  family: 'utxo',
  isDirect: false,
  // A ChainLock makes the first block final. The second covers the moment before the lock.
  confirmations: 2,
  blockTimeMs: 150_000,
  // The total supply of coins.
  tokens: [{ symbol: 'DASH', name: 'Dash', decimals: 8, address: null, maxAmountAtomic: '2100000000000000' }],
  sampleAddress: 'XpESxaUmonkq8RaLLp46Brx2K39ggQe226',
  balanceProtocols: ['blockbook'],
  // The network's minimum fee is one duff per byte. The amount allows for several inputs.
  coinFeeAtomic: '10000',
  explorerTxUrl: 'https://blockchair.com/dash/transaction/{tx}',
  oneClick: { blockchain: 'dash', depositMode: 'SIMPLE' },
  defiLlama: { coinId: 'dash', chain: null },
});
