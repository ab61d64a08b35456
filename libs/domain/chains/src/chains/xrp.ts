import { chain } from './descriptor';

export const xrp = chain({
  id: 'xrp',
  caip2: 'xrpl:0',
  shortName: 'xrp',
  aliases: ['xrpledger', 'xrpl', 'ripple'],
  name: 'XRP Ledger',
  family: 'xrp',
  isDirect: false,
  // A validated ledger is final.
  confirmations: 1,
  blockTimeMs: 4_000,
  usesMemo: true,
  tokens: [{ symbol: 'XRP', name: 'XRP', decimals: 6, address: null }],
  // Source: most examples of xrpl.org.
  sampleAddress: 'rf1BiGeXwwQoi8Z2ueFYTEXSwuJYfV2Jpn',
  balanceProtocols: ['rippled'],
  coinFeeAtomic: '10000',
  explorerTxUrl: 'https://livenet.xrpl.org/transactions/{tx}',
  oneClick: { blockchain: 'xrp', depositMode: 'SIMPLE' },
  defiLlama: { coinId: 'ripple', chain: null },
});
