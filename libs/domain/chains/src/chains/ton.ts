import { chain } from './descriptor';

export const ton = chain({
  id: 'ton',
  caip2: 'tvm:-239',
  shortName: 'ton',
  aliases: ['ton-mainnet', 'ton:mainnet', 'toncoin'],
  name: 'TON',
  family: 'ton',
  isDirect: true,
  // A masterchain block is final, and so are the shard blocks that it references.
  confirmations: 1,
  blockTimeMs: 5_000,
  usesMemo: true,
  tokens: [
    // The coin was renamed in June 2026. Routes, prices and clients use both names.
    { symbol: 'TON', name: 'Gram (TON)', otherSymbols: ['GRAM'], decimals: 9, address: null },
    {
      // Master contract of the jetton, in the bounceable form that its issuer publishes.
      symbol: 'USDT',
      name: 'Tether USD',
      decimals: 6,
      address: 'EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs',
    },
  ],
  // Source: "Address formats" in docs.ton.org.
  sampleAddress: 'UQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff-W72r5gqPuwA',
  balanceProtocols: ['toncenter'],
  // The amount covers message and storage fees; unused coins are returned.
  // https://docs.ton.org/v3/documentation/smart-contracts/transaction-fees/fees
  coinFeeAtomic: '50000000',
  explorerTxUrl: 'https://tonviewer.com/transaction/{tx}',
  oneClick: { blockchain: 'ton', depositMode: 'SIMPLE' },
  defiLlama: { coinId: 'the-open-network', chain: 'ton' },
});
