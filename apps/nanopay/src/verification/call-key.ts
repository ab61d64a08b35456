import { createHash, randomBytes } from 'node:crypto';
import { keylessCallPrefix } from '@tollbridge/nanopay-protocol';
import type { CallContext } from '@tollbridge/rpc';

/**
 * The idempotency key of a call to the payment ledger service. With an Idempotency-Key header it is the same on every
 * replica. Without this header each call is new. Any client may have made such a call, so an equal call with a key gets
 * its charge too (decision 100).
 */
export function callKeyOf({ principal, claim }: CallContext, operation: string): Buffer {
  if (!claim) return Buffer.concat([keylessCallPrefix, randomBytes(16 - keylessCallPrefix.length)]);
  const named = JSON.stringify([operation, principal, claim.idempotencyKey]);
  return createHash('sha256').update(named).digest().subarray(0, 16);
}
