/**
 * Copies bytes into memory of their own, for long-lived values. A small buffer is otherwise a view of an 8 KB slab or
 * a socket's chunk, and keeps it alive.
 */
export function ownBytes(bytes: Uint8Array): Buffer {
  const copy = Buffer.allocUnsafeSlow(bytes.length);
  copy.set(bytes);
  return copy;
}
