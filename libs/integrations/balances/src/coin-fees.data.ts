/**
 * What sending the coin costs where the price hardly moves or a table is close enough: the fee of a busy hour and, where
 * the chain asks for it, what must be left over. Rounded up, in the smallest unit, by chain id. Sums of some cents: too
 * much by a few cents hides a wallet that is empty anyway, too little offers one that cannot pay.
 */
export const coinFeesAtomic: Readonly<Record<string, bigint>> = {
  // Message and storage; what is not used comes back. https://docs.ton.org/v3/documentation/smart-contracts/transaction-fees/fees
  ton: 50_000_000n,
  // Signature and priority, and the 890,880 without which an account may not be left. https://solana.com/docs/core/accounts#rent
  solana: 1_000_000n,
  // 1 to activate a deposit address that was never used, the rest for bandwidth. https://developers.tron.network/docs/resource-model
  tron: 1_500_000n,
  // https://docs.sui.io/concepts/tokenomics/gas-in-sui
  sui: 10_000_000n,
  // Some 250 virtual bytes at 40 a byte.
  btc: 10_000n,
  // The network's least is one a byte; several inputs.
  ltc: 10_000n,
  bch: 2_000n,
  dash: 10_000n,
  // 0.01 for each begun kilobyte; several inputs.
  doge: 5_000_000n,
  // 5,000 for each input or output beyond two. https://zips.z.cash/zip-0317
  zec: 50_000n,
  near: 10_000_000_000_000_000_000_000n,
  // 100 for a transaction, a hundred times as much when blocks are full.
  stellar: 100_000n,
  xrp: 10_000n,
  starknet: 200_000_000_000_000_000n,
  // Fee, and the least that may remain as change. https://docs.cardano.org/about-cardano/explore-more/fee-structure
  cardano: 1_300_000n,
  aleo: 100_000n,
  aptos: 2_000_000n,
};
