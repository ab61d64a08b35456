import type { ServerResponse } from 'node:http';
import type { Answer, Headers } from './answers';

/** Sends an answer and preserves earlier values of `Vary`. */
export function sendAnswer(response: ServerResponse, { status, headers, body }: Answer): void {
  const vary = varyWith(response.getHeader('vary'));
  response.writeHead(status, vary === undefined ? headers : { ...headers, Vary: vary });
  response.end(body);
}

/** Adds the payment header to a value of `Vary`. Returns undefined if the response had no `Vary`. */
export function varyWith(before: number | string | string[] | undefined): string | undefined {
  if (before === undefined) return undefined;
  const text = Array.isArray(before) ? before.join(', ') : String(before);
  return /\bpayment-signature\b/i.test(text) ? text : `${text}, Payment-Signature`;
}

/** The methods of a Fastify reply that the paywall uses. */
export interface HeaderedReply {
  getHeader(name: string): number | string | string[] | undefined;
  header(name: string, value: string): unknown;
}

/** Overrides the headers of a Fastify reply, because Fastify sends these instead of the headers of Node's response. */
export function overrideHeaders(reply: HeaderedReply, headers: Headers): void {
  const vary = varyWith(reply.getHeader('vary'));
  for (const [name, value] of Object.entries(headers))
    if (reply.getHeader(name) !== undefined) reply.header(name, value);
  if (vary !== undefined) reply.header('vary', vary);
}
