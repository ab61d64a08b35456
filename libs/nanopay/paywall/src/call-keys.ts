import { randomFillSync } from 'node:crypto';

const keyBytes = 16;
const keysOfPool = 256;

let pool = Buffer.alloc(0);
let used = 0;

/** Returns 16 random bytes. Random bytes are generated in blocks, because each call costs as much as a hash. */
export function newCallKey(): Buffer {
  if (used === pool.length) {
    // Allocate a new block each time, because keys in use are slices of the old block.
    pool = randomFillSync(Buffer.allocUnsafeSlow(keyBytes * keysOfPool));
    used = 0;
  }
  return pool.subarray(used, (used += keyBytes));
}
