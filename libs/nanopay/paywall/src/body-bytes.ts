import type { IncomingMessage } from 'node:http';

/** A request of a framework that may have already read the body. */
export type ReadRequest = Pick<IncomingMessage, 'headers'> & { rawBody?: unknown; body?: unknown };

/**
 * Returns the received bytes of a body. The parsed form does not suffice, because the same JSON has many notations and
 * the buyer signed one of them.
 * @throws TypeError when the request has a body and its bytes are not available
 */
export function bodyBytesOf({ headers, rawBody, body }: ReadRequest): Uint8Array | undefined {
  if (rawBody instanceof Uint8Array) return rawBody;
  if (typeof rawBody === 'string') return Buffer.from(rawBody);
  if (body instanceof Uint8Array) return body;
  const isEmpty = headers['transfer-encoding'] === undefined && !(Number(headers['content-length']) > 0);
  if (isEmpty) return undefined;
  throw new TypeError('bindBody needs the bytes of the body: keep them as `rawBody` of the request.');
}
