import { DomainError } from '@tollbridge/rpc';
import type { FastifyRequest } from 'fastify';

/**
 * Rejects a form from a page of another site. Browsers send the relation in `Sec-Fetch-Site`. Older ones send the
 * origin, or `null` because the policy of these pages suppresses the referrer.
 */
export function expectSameOrigin({ headers }: FastifyRequest, publicUrl: string): void {
  const { 'sec-fetch-site': site, origin } = headers;
  const isForeign =
    site === undefined
      ? origin !== undefined && origin !== 'null' && origin !== new URL(publicUrl).origin
      : site !== 'same-origin' && site !== 'none';
  if (isForeign) throw new DomainError('FORBIDDEN', 'The form was sent by another site. Open the page here.');
}
