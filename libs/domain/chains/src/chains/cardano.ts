import { chain } from './descriptor';

export const cardano = chain({
  id: 'cardano',
  // The chain is not in the CAIP registry. CIP-34 identifies a chain by network id and magic.
  caip2: 'cip34:1-764824073',
  shortName: 'cardano',
  aliases: ['ada', 'cardano:mainnet'],
  name: 'Cardano',
  family: 'cardano',
  isDirect: false,
  // Short forks of one to three blocks are normal. 15 blocks (five minutes) are the usual depth of exchanges.
  confirmations: 15,
  blockTimeMs: 20_000,
  tokens: [{ symbol: 'ADA', name: 'Cardano', decimals: 6, address: null }],
  // Source: CIP-19.
  sampleAddress:
    'addr1qx2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzer3n0d3vllmyqwsx5wktcd8cc3sq835lu7drv2xwl2wywfgse35a3x',
  balanceProtocols: ['koios'],
  // The amount is the fee plus the minimum change output.
  // https://docs.cardano.org/about-cardano/explore-more/fee-structure
  coinFeeAtomic: '1300000',
  explorerTxUrl: 'https://adastat.net/transactions/{tx}',
  oneClick: { blockchain: 'cardano', depositMode: 'SIMPLE' },
  defiLlama: { coinId: 'cardano', chain: null },
});
