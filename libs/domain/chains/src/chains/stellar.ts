import { chain } from './descriptor';

export const stellar = chain({
  id: 'stellar',
  caip2: 'stellar:pubnet',
  shortName: 'stellar',
  aliases: ['xlm', 'stellar:mainnet'],
  name: 'Stellar',
  family: 'stellar',
  isDirect: false,
  // A closed ledger is final.
  confirmations: 1,
  blockTimeMs: 6_000,
  usesMemo: true,
  tokens: [
    { symbol: 'XLM', name: 'Stellar Lumens', decimals: 7, address: null },
    {
      // Address of the issuer. Together with the symbol as asset code it identifies the asset.
      symbol: 'USDC',
      name: 'USD Coin',
      decimals: 7,
      address: 'GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN',
    },
  ],
  // Source: SEP-23.
  sampleAddress: 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ',
  balanceProtocols: ['horizon'],
  // The fee is 100 stroops per transaction, and a hundred times as much when blocks are full.
  coinFeeAtomic: '100000',
  explorerTxUrl: 'https://stellar.expert/explorer/public/tx/{tx}',
  // All deposits share one address, and a memo identifies the deposit.
  oneClick: { blockchain: 'stellar', depositMode: 'MEMO' },
  defiLlama: { coinId: 'stellar', chain: null },
});
