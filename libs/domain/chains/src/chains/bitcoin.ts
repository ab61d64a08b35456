import { chain } from './descriptor';

export const bitcoin = chain({
  id: 'btc',
  caip2: 'bip122:000000000019d6689c085ae165831e93',
  shortName: 'btc',
  aliases: ['bitcoin'],
  name: 'Bitcoin',
  family: 'utxo',
  isDirect: false,
  // The chain uses proof of work. Half an hour of blocks is the usual depth for retail amounts.
  confirmations: 3,
  blockTimeMs: 600_000,
  // The total supply of coins.
  tokens: [
    { symbol: 'BTC', name: 'Bitcoin', decimals: 8, address: null, maxAmountAtomic: '2100000000000000' },
  ],
  // Source: "Bech32" in the Bitcoin Wiki.
  sampleAddress: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
  balanceProtocols: ['esplora', 'blockbook'],
  // The fee is for about 250 virtual bytes at 40 satoshis per byte.
  coinFeeAtomic: '10000',
  explorerTxUrl: 'https://mempool.space/tx/{tx}',
  oneClick: { blockchain: 'btc', depositMode: 'SIMPLE' },
  defiLlama: { coinId: 'bitcoin', chain: null },
});
