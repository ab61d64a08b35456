import type { IncomingMessage } from 'node:http';

/** The text that a caller presents as his key, `missing`, or `malformed` for what cannot be one. */
export type Presented = { text: string } | 'missing' | 'malformed';

// A key has 50 characters; what is longer need not be hashed to be known for none.
const maxLength = 128;
const bearer = /^bearer +([!-~]+)$/i;

/**
 * Reads `Authorization: Bearer` and `X-API-Key`. Node keeps the first of two `Authorization` headers and joins others, so
 * all are read as they came: two different keys in one request are refused, whichever way they are sent.
 */
export function presentedKey({ headers, rawHeaders }: IncomingMessage): Presented {
  if (headers.authorization === undefined && headers['x-api-key'] === undefined) return 'missing';
  let found: string | undefined;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!.toLowerCase();
    if (name !== 'authorization' && name !== 'x-api-key') continue;
    const value = rawHeaders[at + 1]!.trim();
    const text = name === 'x-api-key' ? value : bearer.exec(value)?.[1];
    if (!text || text.length > maxLength || (found !== undefined && found !== text)) return 'malformed';
    found = text;
  }
  return found === undefined ? 'missing' : { text: found };
}
