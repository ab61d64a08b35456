import type { Chain } from './chain';

/**
 * How many blocks of a chain are followed for reorganisations. Orders and PayLink payments are reverted when one of
 * these blocks leaves the chain. Twice the confirmations that a payment needs, at least 64 and at most 1,024.
 */
export function reorgWindow({ confirmations }: Pick<Chain, 'confirmations'>): number {
  return Math.min(Math.max(confirmations * 2, 64), 1_024);
}
