import type { Chain } from './chain';

/**
 * Returns how many blocks of a chain are tracked for reorganisations. Orders and PayLink payments are reverted when one
 * of these blocks is orphaned. Twice the confirmations of a payment, at least 64 and at most 1,024.
 */
export function reorgWindow({ confirmations }: Pick<Chain, 'confirmations'>): number {
  return Math.min(Math.max(confirmations * 2, 64), 1_024);
}
