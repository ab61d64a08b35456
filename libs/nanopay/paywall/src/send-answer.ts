import type { ServerResponse } from 'node:http';
import type { Answer, Headers } from './answers';

/** Sends a whole answer, and keeps what was said before of what else the answers depend on. */
export function sendAnswer(response: ServerResponse, { status, headers, body }: Answer): void {
  const vary = varyWith(response.getHeader('vary'));
  response.writeHead(status, vary === undefined ? headers : { ...headers, Vary: vary });
  response.end(body);
}

/** The value of `Vary` with ours; undefined where there was none. */
export function varyWith(before: number | string | string[] | undefined): string | undefined {
  if (before === undefined) return undefined;
  const text = Array.isArray(before) ? before.join(', ') : String(before);
  return /\bpayment-signature\b/i.test(text) ? text : `${text}, Payment-Signature`;
}

/** What is used of a reply of Fastify. */
export interface HeaderedReply {
  getHeader(name: string): number | string | string[] | undefined;
  header(name: string, value: string): unknown;
}

/** What hooks have set on a reply of Fastify would be sent in the place of what Node's response says. */
export function overrideHeaders(reply: HeaderedReply, headers: Headers): void {
  const vary = varyWith(reply.getHeader('vary'));
  for (const [name, value] of Object.entries(headers))
    if (reply.getHeader(name) !== undefined) reply.header(name, value);
  if (vary !== undefined) reply.header('vary', vary);
}
