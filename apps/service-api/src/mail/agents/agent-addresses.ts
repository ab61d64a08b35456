import { createHash } from 'node:crypto';
import { slugOf } from './slug';

// The local part has at most 64 characters, shared by slug and digest.
const [maxLocalLength, maxSlugLength] = [64, 40];
// 50 bits: among a million agents, a collision has a probability of 1 in 2,000. The second agent gets a longer digest.
export const digestLengths = [10, 20, 32] as const;
const alphabet = 'abcdefghijklmnopqrstuvwxyz234567';

/**
 * Returns the address of an agent. It contains a digest of wallet and agent id, so another wallet cannot claim it. The
 * digest also keeps it different from reserved addresses such as postmaster.
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
