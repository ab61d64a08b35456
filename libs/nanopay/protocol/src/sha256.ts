import { hash } from 'node:crypto';

/** One-shot hash, because creating a hash object costs more than the hash itself. */
export const sha256 = (...parts: readonly Uint8Array[]): Buffer =>
  hash('sha256', parts.length === 1 ? parts[0]! : Buffer.concat(parts), 'buffer');
