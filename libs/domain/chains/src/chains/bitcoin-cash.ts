import { chain } from './descriptor';

export const bitcoinCash = chain({
  id: 'bch',
  caip2: 'bip122:000000000000000000651ef99cb9fcbe',
  shortName: 'bch',
  aliases: ['bitcoincash', 'bitcoin-cash'],
  name: 'Bitcoin Cash',
  family: 'utxo',
  isDirect: false,
  // The main node software finalises after ten blocks and rejects deeper reorganisations.
  confirmations: 10,
  blockTimeMs: 600_000,
  // The total supply of coins.
  tokens: [
    { symbol: 'BCH', name: 'Bitcoin Cash', decimals: 8, address: null, maxAmountAtomic: '2100000000000000' },
  ],
  // Source: the cashaddr specification.
  sampleAddress: 'bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a',
  balanceProtocols: ['blockbook'],
  // The network's minimum fee is one satoshi per byte. The amount allows for several inputs.
  coinFeeAtomic: '2000',
  explorerTxUrl: 'https://blockchair.com/bitcoin-cash/transaction/{tx}',
  oneClick: { blockchain: 'bch', depositMode: 'SIMPLE' },
  defiLlama: { coinId: 'bitcoin-cash', chain: null },
});
