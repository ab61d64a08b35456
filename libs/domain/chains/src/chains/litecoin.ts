import { chain } from './descriptor';

export const litecoin = chain({
  id: 'ltc',
  caip2: 'bip122:12a765e31ffd4059bada1e25190f6e98',
  shortName: 'ltc',
  aliases: ['litecoin'],
  name: 'Litecoin',
  family: 'utxo',
  isDirect: false,
  // The chain uses proof of work, so payments wait for a quarter of an hour of blocks.
  confirmations: 6,
  blockTimeMs: 150_000,
  // The total supply of coins.
  tokens: [
    { symbol: 'LTC', name: 'Litecoin', decimals: 8, address: null, maxAmountAtomic: '8400000000000000' },
  ],
  // The documentation has no example. Validators and wallets commonly test with this address.
  sampleAddress: 'LaMT348PWRnrqeeWArpwQPbuanpXDZGEUz',
  balanceProtocols: ['esplora', 'blockbook'],
  // The network's minimum fee is one litoshi per byte. The amount allows for several inputs.
  coinFeeAtomic: '10000',
  explorerTxUrl: 'https://litecoinspace.org/tx/{tx}',
  oneClick: { blockchain: 'ltc', depositMode: 'SIMPLE' },
  defiLlama: { coinId: 'litecoin', chain: null },
});
