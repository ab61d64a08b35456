import type { DeployedChain } from '@tollbridge/chains';

/** Seconds from a payment to its settlement: the required blocks, and one poll to notice them. */
export function settlementSeconds(
  chain: Pick<DeployedChain, 'confirmations' | 'blockTimeMs' | 'pollIntervalMs'>,
): number {
  return Math.ceil((chain.confirmations * chain.blockTimeMs + chain.pollIntervalMs) / 1000);
}
