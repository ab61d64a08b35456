import { chain } from './descriptor';

export const litecoin = chain({
  id: 'ltc',
  caip2: 'bip122:12a765e31ffd4059bada1e25190f6e98',
  shortName: 'ltc',
  aliases: ['litecoin'],
  name: 'Litecoin',
  family: 'utxo',
  isDirect: false,
  // A quarter of an hour of proof of work.
  confirmations: 6,
  blockTimeMs: 150_000,
  // All coins that can exist.
  tokens: [
    { symbol: 'LTC', name: 'Litecoin', decimals: 8, address: null, maxAmountAtomic: '8400000000000000' },
  ],
  // No documentation has an example: validators and wallets commonly test with this one.
  sampleAddress: 'LaMT348PWRnrqeeWArpwQPbuanpXDZGEUz',
  balanceProtocols: ['esplora', 'blockbook'],
  // The network's least is one a byte; several inputs.
  coinFeeAtomic: '10000',
  explorerTxUrl: 'https://litecoinspace.org/tx/{tx}',
  oneClick: { blockchain: 'ltc', depositMode: 'SIMPLE' },
  defiLlama: { coinId: 'litecoin', chain: null },
});
