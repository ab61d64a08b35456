import { createHash } from 'node:crypto';
import { slugOf } from './slug';

// Before the @ are 64 characters at most: what the mark leaves is for people.
const [maxLocalLength, maxSlugLength] = [64, 40];
// 50 bits: among a million agents no two are alike but by a chance of one in two thousand, and then one gets a longer mark.
export const markLengths = [10, 20, 32] as const;
const alphabet = 'abcdefghijklmnopqrstuvwxyz234567';

/**
 * The address of an agent. It carries a mark of wallet and agent: nobody else's agent can have it, none can be taken from
 * somebody, and none is one that mail servers keep for themselves, such as postmaster.
 */
export function agentAddress(
  { wallet, agentId, domain }: { wallet: string; agentId: string; domain: string },
  markLength: number,
): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([wallet, agentId, domain]))
    .digest();
  const mark = Array.from({ length: markLength }, (_, at) => alphabet[digest[at]! & 31]).join('');
  const slug = slugOf(agentId, Math.min(maxSlugLength, maxLocalLength - 1 - markLength)) || 'agent';
  return `${slug}-${mark}@${domain}`;
}
