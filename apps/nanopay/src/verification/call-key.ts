import { createHash, randomBytes } from 'node:crypto';
import type { CallContext } from '@tollbridge/rpc';

/**
 * What the enclave knows a call by. With an Idempotency-Key it is the same at each repetition, whichever replica serves it
 * and whatever that one remembers; without one each call is a call of its own, and a copy of a payment is rejected.
 */
export function callKeyOf({ principal, claim }: CallContext, operation: string): Buffer {
  if (!claim) return randomBytes(16);
  const named = JSON.stringify([operation, principal, claim.idempotencyKey]);
  return createHash('sha256').update(named).digest().subarray(0, 16);
}
