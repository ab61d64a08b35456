import { randomBytes } from 'node:crypto';

const poolLength = 4096;
let pool = randomBytes(poolLength);
let used = 0;

/**
 * Some random bytes, drawn in blocks: a call of the generator costs more than the encryption of a small body. For
 * nonces and ids, which become public. Not for keys, which would stay in the block.
 * @param length at most the size of a block, 4096
 */
export function publicRandomBytes(length: number): Buffer {
  if (used + length > poolLength) {
    pool = randomBytes(poolLength);
    used = 0;
  }
  return pool.subarray(used, (used += length));
}
