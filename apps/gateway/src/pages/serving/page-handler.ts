import { DomainError } from '@tollbridge/rpc';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { OwnRoute } from '../../routes/gateway-route';

/** A page and its route, which has the authentication and the limits of the operation that the page shows. */
export interface PageHandler {
  route: OwnRoute;
  handle(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>;
}

/** The fields of a form. Rejects repeated and unknown fields, as in a JSON body. */
export function formFields(request: FastifyRequest, names: readonly string[]): Map<string, string> {
  const given = [...new URLSearchParams((request.body as string | undefined) ?? '')];
  const fields = new Map(given);
  const unknown = [...fields.keys()].filter((name) => !names.includes(name));
  if (unknown.length > 0 || fields.size < given.length)
    throw new DomainError('VALIDATION_ERROR', 'The form cannot be read. Go back and send it again.');
  return fields;
}
