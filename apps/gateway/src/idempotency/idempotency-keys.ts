import { Inject, Injectable } from '@nestjs/common';
import { DomainError, idempotencyKeyForm, idempotencyKeyOf, keyIdOf, makerOf } from '@tollbridge/rpc';
import type { FastifyRequest } from 'fastify';
import type { BlockList } from 'node:net';
import { clientAddress } from '../client-address/client-address';
import { TrustedProxies } from '../client-address/client-address.module';

const name = 'Idempotency-Key';
const form = 'must be sent once, as 1 to 255 visible ASCII characters';

/** Reads the header and binds its value to the client, because two clients may choose the same text. */
@Injectable()
export class IdempotencyKeys {
  constructor(@Inject(TrustedProxies) private readonly proxies: BlockList) {}

  /** The key that makes the request take effect only once; undefined without the header. */
  read(request: FastifyRequest): string | undefined {
    const given = request.headers['idempotency-key'];
    if (given === undefined) return undefined;
    // Node joins a repeated header by a comma and a space, which the form does not allow.
    if (typeof given !== 'string' || !idempotencyKeyForm.test(given))
      throw DomainError.invalid([{ field: name, message: form }]);
    return idempotencyKeyOf(clientOf(request, this.proxies), given);
  }
}

/**
 * The client: an API key by its id, which survives a new secret, or an anonymous client by address, as for rate limits.
 */
function clientOf({ call, raw }: FastifyRequest, proxies: BlockList): string {
  const keyId = keyIdOf(call);
  // A client with only the publishable half must not use up the keys of clients with the secret.
  if (keyId !== undefined) return `${makerOf(call) === undefined ? 'page-key' : 'key'}:${keyId}`;
  return call.principal === 'public' ? `address:${clientAddress(raw, proxies)}` : call.principal;
}
