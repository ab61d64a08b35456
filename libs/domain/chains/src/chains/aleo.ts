import { chain } from './descriptor';

export const aleo = chain({
  id: 'aleo',
  caip2: 'aleo:0',
  shortName: 'aleo',
  aliases: ['aleo:mainnet'],
  name: 'Aleo',
  family: 'aleo',
  isDirect: false,
  // Validators use Byzantine agreement, so a block is final immediately.
  confirmations: 1,
  blockTimeMs: 5_000,
  tokens: [{ symbol: 'ALEO', name: 'Aleo', decimals: 6, address: null }],
  // Source: address literals of the Leo compiler.
  sampleAddress: 'aleo1qnr4dkkvkgfqph0vzc3y6z2eu975wnpz2925ntjccd5cfqxtyu8s7pyjh9',
  balanceProtocols: ['aleo'],
  coinFeeAtomic: '100000',
  explorerTxUrl: 'https://explorer.provable.com/transaction/{tx}',
  oneClick: { blockchain: 'aleo', depositMode: 'SIMPLE' },
  defiLlama: { coinId: 'aleo', chain: null },
});
