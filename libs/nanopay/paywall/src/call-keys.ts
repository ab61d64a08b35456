import { randomFillSync } from 'node:crypto';

const keyBytes = 16;
const keysOfPool = 256;

let pool = Buffer.alloc(0);
let used = 0;

/** 16 random bytes. They are fetched in blocks, because each call costs as much as a hash. */
export function newCallKey(): Buffer {
  if (used === pool.length) {
    // A new block each time: keys in use are slices of the old one.
    pool = randomFillSync(Buffer.allocUnsafeSlow(keyBytes * keysOfPool));
    used = 0;
  }
  return pool.subarray(used, (used += keyBytes));
}
