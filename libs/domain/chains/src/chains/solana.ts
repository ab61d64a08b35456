import { chain } from './descriptor';

export const solana = chain({
  id: 'solana',
  caip2: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
  shortName: 'solana',
  aliases: ['sol', 'solana-mainnet', 'solana:mainnet'],
  name: 'Solana',
  family: 'solana',
  isDirect: true,
  // The commitment "finalized" means 31 voted blocks after the block with the transaction.
  confirmations: 32,
  blockTimeMs: 400,
  tokens: [
    { symbol: 'SOL', name: 'Solana', decimals: 9, address: null },
    {
      symbol: 'USDC',
      name: 'USD Coin',
      decimals: 6,
      address: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
    },
    {
      symbol: 'USDT',
      name: 'Tether USD',
      decimals: 6,
      address: 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB',
    },
  ],
  // Source: getBalance in the JSON-RPC reference.
  sampleAddress: '83astBRguLMdt2h5U1Tpdq5tjFoJ6noeGwaY3mDLVcri',
  balanceProtocols: ['solana'],
  // The amount is the signature and priority fee plus the minimum balance of 890,880.
  // https://solana.com/docs/core/accounts#rent
  coinFeeAtomic: '1000000',
  explorerTxUrl: 'https://solscan.io/tx/{tx}',
  oneClick: { blockchain: 'sol', depositMode: 'SIMPLE' },
  defiLlama: { coinId: 'solana', chain: 'solana' },
});
