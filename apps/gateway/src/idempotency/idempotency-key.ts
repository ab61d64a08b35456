import { DomainError, idempotencyKeyForm, idempotencyKeyOf, keyIdOf, makerOf } from '@tollbridge/rpc';
import type { FastifyRequest } from 'fastify';
import type { BlockList } from 'node:net';
import { clientAddress } from '../rate-limit/client-address';

/** The key under which a request is answered once; undefined without the header. */
export type ReadIdempotencyKey = (request: FastifyRequest) => string | undefined;

const name = 'Idempotency-Key';
const form = 'must be sent once, as 1 to 255 visible ASCII characters';

/** Reads the header, and binds it to who calls: two callers may take the same text. */
export function idempotencyKeys(proxies: BlockList): ReadIdempotencyKey {
  return (request) => {
    const given = request.headers['idempotency-key'];
    if (given === undefined) return undefined;
    // What was sent twice arrives joined by a comma and a space.
    if (typeof given !== 'string' || !idempotencyKeyForm.test(given))
      throw DomainError.invalid([{ field: name, message: form }]);
    return idempotencyKeyOf(callerOf(request, proxies), given);
  };
}

/** A key keeps its id when its secret is changed. The public is told apart by address, as it is for limits. */
function callerOf({ call, raw }: FastifyRequest, proxies: BlockList): string {
  const keyId = keyIdOf(call);
  // Who has the publishable half only must not use up the texts of who has the secret.
  if (keyId !== undefined) return `${makerOf(call) === undefined ? 'page-key' : 'key'}:${keyId}`;
  return call.principal === 'public' ? `address:${clientAddress(raw, proxies)}` : call.principal;
}
