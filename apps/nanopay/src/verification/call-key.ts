import { createHash, randomBytes } from 'node:crypto';
import type { CallContext } from '@tollbridge/rpc';

/**
 * The idempotency key of a call at the payment ledger service. With an Idempotency-Key header it is the same on every
 * replica; without one each call is new, and a copy of a payment is rejected.
 */
export function callKeyOf({ principal, claim }: CallContext, operation: string): Buffer {
  if (!claim) return randomBytes(16);
  const named = JSON.stringify([operation, principal, claim.idempotencyKey]);
  return createHash('sha256').update(named).digest().subarray(0, 16);
}
