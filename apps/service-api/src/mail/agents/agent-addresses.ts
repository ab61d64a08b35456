import { createHash } from 'node:crypto';
import { slugOf } from './slug';

// The local part has at most 64 characters; the slug gets what the digest leaves.
const [maxLocalLength, maxSlugLength] = [64, 40];
// 50 bits: a million agents collide with a probability of 1 in 2,000, and then one gets a longer digest.
export const digestLengths = [10, 20, 32] as const;
const alphabet = 'abcdefghijklmnopqrstuvwxyz234567';

/**
 * The address of an agent. It has a digest of wallet and agent id, so that no other wallet can claim it. For the same
 * reason it never equals a reserved address such as postmaster.
 */
export function agentAddress(
  { wallet, agentId, domain }: { wallet: string; agentId: string; domain: string },
  digestLength: number,
): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([wallet, agentId, domain]))
    .digest();
  const suffix = Array.from({ length: digestLength }, (_, at) => alphabet[digest[at]! & 31]).join('');
  const slug = slugOf(agentId, Math.min(maxSlugLength, maxLocalLength - 1 - digestLength)) || 'agent';
  return `${slug}-${suffix}@${domain}`;
}
