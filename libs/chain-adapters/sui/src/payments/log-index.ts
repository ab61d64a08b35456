import { createHash } from 'node:crypto';

// A signed 32-bit number: 16 bits for the package and 15 bits for the position.
const ordinalBits = 15;

/**
 * Maximum number of payments per package and checkpoint. An account can put a thousand payments into a transaction, but
 * a checkpoint executes fewer than this limit.
 */
export const maxPaymentsPerCheckpoint = 2 ** ordinalBits;

/**
 * Returns the index of a payment within its checkpoint if several packages receive payments. The upper bits identify
 * the package, and the lower bits are the position among the package's events. The index does not depend on the current
 * configuration.
 */
export function logIndexOf(packageId: string, ordinal: number): number {
  if (ordinal >= maxPaymentsPerCheckpoint)
    throw new RangeError(`A checkpoint has more than ${maxPaymentsPerCheckpoint} payments`);
  return packageTag(packageId) * 2 ** ordinalBits + ordinal;
}

/** @throws Error if two packages would have the same indexes */
export function requireDistinctTags(packageIds: readonly string[]): void {
  if (new Set(packageIds.map(packageTag)).size < packageIds.length)
    throw new Error('Two payment packages have the same tag. Publish the package again.');
}

const packageTag = (packageId: string): number =>
  createHash('sha256').update(packageId).digest().readUInt16BE(0);
