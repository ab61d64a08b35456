import type { IncomingMessage } from 'node:http';

/** A request of a framework that may have read the body already. */
export type ReadRequest = Pick<IncomingMessage, 'headers'> & { rawBody?: unknown; body?: unknown };

/**
 * The received bytes of a body. Its parsed form does not suffice: the same JSON has many notations, and the buyer
 * signed one.
 * @throws TypeError when only the parsed form of the body is left
 */
export function bodyBytesOf({ headers, rawBody, body }: ReadRequest): Uint8Array | undefined {
  if (rawBody instanceof Uint8Array) return rawBody;
  if (typeof rawBody === 'string') return Buffer.from(rawBody);
  if (body instanceof Uint8Array) return body;
  const isEmpty = headers['transfer-encoding'] === undefined && !(Number(headers['content-length']) > 0);
  if (isEmpty) return undefined;
  throw new TypeError('bindBody needs the bytes of the body: keep them as `rawBody` of the request.');
}
