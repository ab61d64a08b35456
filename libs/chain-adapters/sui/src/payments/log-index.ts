import { createHash } from 'node:crypto';

// A signed 32-bit number: 16 bits name the package, 15 bits the position.
const ordinalBits = 15;

/**
 * Limit for one package. An account can put a thousand payments into a transaction, but a checkpoint executes fewer
 * than this.
 */
export const maxPaymentsPerCheckpoint = 2 ** ordinalBits;

/**
 * The index of a payment within its checkpoint, where several packages take payments. Its upper bits name the package,
 * the lower ones are the position among the package's events. It does not depend on the current configuration.
 */
export function logIndexOf(packageId: string, ordinal: number): number {
  if (ordinal >= maxPaymentsPerCheckpoint)
    throw new RangeError(`A checkpoint has more than ${maxPaymentsPerCheckpoint} payments`);
  return packageTag(packageId) * 2 ** ordinalBits + ordinal;
}

/** @throws Error where two packages would share their indexes */
export function requireDistinctTags(packageIds: readonly string[]): void {
  if (new Set(packageIds.map(packageTag)).size < packageIds.length)
    throw new Error('Two payment packages have the same tag. Publish the package again.');
}

const packageTag = (packageId: string): number =>
  createHash('sha256').update(packageId).digest().readUInt16BE(0);
