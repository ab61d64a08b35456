import { randomBytes } from 'node:crypto';

const poolLength = 4096;
let pool = randomBytes(poolLength);
let used = 0;

/**
 * Returns random bytes, drawn in blocks, because a call of the generator costs more than the encryption of a small
 * body. Use it for nonces and ids, which become public. Do not use it for keys, because they would stay in the block.
 * @param length at most the size of a block, 4096
 */
export function publicRandomBytes(length: number): Buffer {
  if (used + length > poolLength) {
    pool = randomBytes(poolLength);
    used = 0;
  }
  return pool.subarray(used, (used += length));
}
