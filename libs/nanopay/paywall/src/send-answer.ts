import type { ServerResponse } from 'node:http';
import type { Answer, Headers } from './answers';

/** Sends an answer and preserves earlier values of `Vary`. */
export function sendAnswer(response: ServerResponse, { status, headers, body }: Answer): void {
  const vary = varyWith(response.getHeader('vary'));
  response.writeHead(status, vary === undefined ? headers : { ...headers, Vary: vary });
  response.end(body);
}

/** The value of `Vary` with ours; undefined where the response had no `Vary`. */
export function varyWith(before: number | string | string[] | undefined): string | undefined {
  if (before === undefined) return undefined;
  const text = Array.isArray(before) ? before.join(', ') : String(before);
  return /\bpayment-signature\b/i.test(text) ? text : `${text}, Payment-Signature`;
}

/** The used methods of a Fastify reply. */
export interface HeaderedReply {
  getHeader(name: string): number | string | string[] | undefined;
  header(name: string, value: string): unknown;
}

/** Fastify sends headers of its reply instead of those of Node's response: override them too. */
export function overrideHeaders(reply: HeaderedReply, headers: Headers): void {
  const vary = varyWith(reply.getHeader('vary'));
  for (const [name, value] of Object.entries(headers))
    if (reply.getHeader(name) !== undefined) reply.header(name, value);
  if (vary !== undefined) reply.header('vary', vary);
}
