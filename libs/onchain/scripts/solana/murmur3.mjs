/**
 * Computes Murmur3 of 32 bits with seed 0, as a signed number. Solana's bytecode identifies a system call by this hash.
 * @param {Uint8Array} bytes
 */
export function murmur3(bytes) {
  const blocks = bytes.length & ~3;
  let hash = 0;
  for (let at = 0; at < blocks; at += 4) {
    hash ^= scramble(bytes[at] | (bytes[at + 1] << 8) | (bytes[at + 2] << 16) | (bytes[at + 3] << 24));
    hash = (Math.imul(rotate(hash, 13), 5) + 0xe6546b64) | 0;
  }
  let tail = 0;
  for (let at = bytes.length - 1; at >= blocks; at--) tail = (tail << 8) | bytes[at];
  if (bytes.length > blocks) hash ^= scramble(tail);
  hash ^= bytes.length;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}

/** @param {number} block */
const scramble = (block) => Math.imul(rotate(Math.imul(block, 0xcc9e2d51), 15), 0x1b873593);

/** @param {number} value @param {number} bits */
const rotate = (value, bits) => (value << bits) | (value >>> (32 - bits));
