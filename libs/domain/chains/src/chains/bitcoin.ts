import { chain } from './descriptor';

export const bitcoin = chain({
  id: 'btc',
  caip2: 'bip122:000000000019d6689c085ae165831e93',
  shortName: 'btc',
  aliases: ['bitcoin'],
  name: 'Bitcoin',
  family: 'utxo',
  isDirect: false,
  // Proof of work: half an hour, the usual depth for amounts that a shop sells.
  confirmations: 3,
  blockTimeMs: 600_000,
  // All coins that can exist.
  tokens: [
    { symbol: 'BTC', name: 'Bitcoin', decimals: 8, address: null, maxAmountAtomic: '2100000000000000' },
  ],
  // "Bech32" of the Bitcoin Wiki.
  sampleAddress: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
  balanceProtocols: ['esplora', 'blockbook'],
  // Some 250 virtual bytes at 40 a byte.
  coinFeeAtomic: '10000',
  explorerTxUrl: 'https://mempool.space/tx/{tx}',
  oneClick: { blockchain: 'btc', depositMode: 'SIMPLE' },
  defiLlama: { coinId: 'bitcoin', chain: null },
});
