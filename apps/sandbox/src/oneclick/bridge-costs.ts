import type { Chain } from '@tollbridge/chains';

export interface BridgeCosts {
  /** Minimum amount in US dollars. */
  minimumUsd: string;
  /** Cost of a delivery and of a refund, in US dollars. */
  withdrawUsd: string;
  refundUsd: string;
}

const ordinary: BridgeCosts = { minimumUsd: '0.2', withdrawUsd: '0.02', refundUsd: '0.02' };

/** Chains with unusual costs, as of 2026. */
const special: Readonly<Record<string, BridgeCosts>> = {
  'eip155:1': { minimumUsd: '2', withdrawUsd: '0.4', refundUsd: '0.4' },
  'eip155:8453': { minimumUsd: '0.05', withdrawUsd: '0.01', refundUsd: '0' },
  'eip155:42161': { minimumUsd: '0.05', withdrawUsd: '0.01', refundUsd: '0' },
  btc: { minimumUsd: '5', withdrawUsd: '1.2', refundUsd: '1.2' },
  tron: { minimumUsd: '3', withdrawUsd: '1', refundUsd: '1' },
  bch: { minimumUsd: '1', withdrawUsd: '0.1', refundUsd: '0.1' },
  ltc: { minimumUsd: '1', withdrawUsd: '0.1', refundUsd: '0.1' },
  doge: { minimumUsd: '1', withdrawUsd: '0.1', refundUsd: '0.1' },
};

export const costsOf = ({ id }: Chain): BridgeCosts => special[id] ?? ordinary;

/** Above this amount, the market makers have no liquidity: `Failed to get quote`. */
export const largestUsd = '5000000';

/** Returns the seconds from the confirmation of a deposit to its delivery. */
export function secondsBetween(origin: Chain, destination: Chain): number {
  const finality = ({ blockTimeMs, confirmations }: Chain) => blockTimeMs * confirmations;
  return Math.ceil((finality(origin) + finality(destination)) / 1_000) + matchingSeconds;
}

const matchingSeconds = 3;
