/**
 * Copies bytes of a long-lived value into separate memory. A small buffer is otherwise a view of an 8 KB slab or of a
 * socket's chunk, and keeps that memory alive.
 */
export function ownBytes(bytes: Uint8Array): Buffer {
  const copy = Buffer.allocUnsafeSlow(bytes.length);
  copy.set(bytes);
  return copy;
}
