import { randomFillSync } from 'node:crypto';

const keyBytes = 16;
const keysOfPool = 256;

let pool = Buffer.alloc(0);
let used = 0;

/** 16 random bytes: asked for many at a time, because each time costs as much as a hash. */
export function newCallKey(): Buffer {
  if (used === pool.length) {
    // A new one each time: keys that are still in use are parts of the old one.
    pool = randomFillSync(Buffer.allocUnsafeSlow(keyBytes * keysOfPool));
    used = 0;
  }
  return pool.subarray(used, (used += keyBytes));
}
