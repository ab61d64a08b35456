import { chain } from './descriptor';

export const tron = chain({
  id: 'tron',
  // The chain is not in the CAIP registry. Its name ends with the last four bytes of the genesis hash, as in wallets.
  caip2: 'tron:0x2b6653dc',
  shortName: 'tron',
  aliases: ['trx', 'tron-mainnet', 'tron:mainnet'],
  name: 'Tron',
  family: 'tron',
  isDirect: true,
  // A block is solid once 19 of the 27 producers have built on it.
  confirmations: 19,
  blockTimeMs: 3_000,
  // USDC is absent, because Circle stopped issuing it on Tron.
  tokens: [
    { symbol: 'TRX', name: 'Tronix', decimals: 6, address: null },
    { symbol: 'USDT', name: 'Tether USD', decimals: 6, address: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t' },
  ],
  // Source: the receiver in the HTTP API reference of the full node.
  sampleAddress: 'TPswDDCAWhJAZGdHPidFg5nEf8TkNToDX1',
  balanceProtocols: ['trongrid'],
  // The fee is 1 TRX to activate an unused deposit address, and the rest for bandwidth.
  // https://developers.tron.network/docs/resource-model
  coinFeeAtomic: '1500000',
  explorerTxUrl: 'https://tronscan.org/#/transaction/{tx}',
  oneClick: { blockchain: 'tron', depositMode: 'SIMPLE' },
  defiLlama: { coinId: 'tron', chain: 'tron' },
});
