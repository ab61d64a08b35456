/**
 * A copy with memory of its own, for what is kept: other small buffers are cut from slabs of 8 KB, or from what a socket
 * has read, and keep all of that for as long as they are kept themselves.
 */
export function ownBytes(bytes: Uint8Array): Buffer {
  const copy = Buffer.allocUnsafeSlow(bytes.length);
  copy.set(bytes);
  return copy;
}
