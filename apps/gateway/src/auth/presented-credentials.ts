import { isPaymentAuthorization } from '@tollbridge/nanopay-protocol';
import { isSessionText } from '@tollbridge/api-keys';
import type { IncomingMessage } from 'node:http';
import type { SessionCookie } from './session-cookie';

/** The API key and the session token of a request, at most one of each. */
export interface Credentials {
  kind: 'presented';
  key?: string;
  session?: string;
  /** Set when the session is from the cookie of the dashboard. */
  isCookie?: true;
}

/** `malformed` means a value that is neither a key nor a token, or two different keys or tokens. */
export type PresentedCredentials = Credentials | { kind: 'missing' } | { kind: 'malformed' };

const missing: PresentedCredentials = { kind: 'missing' };
const malformed: PresentedCredentials = { kind: 'malformed' };
// A key has 50 characters. A longer text is rejected without hashing it.
const maxLength = 128;
const bearer = /^bearer +([!-~]+)$/i;

/**
 * Reads `Authorization: Bearer` and `X-API-Key`. A request may have both a session token and an API key. Node drops a
 * second `Authorization` header and joins other repeated headers, so this reads the raw headers. Two different keys are
 * malformed.
 * @param cookie used only without both headers; undefined on routes where cookies do not authenticate
 */
export function presentedCredentials(request: IncomingMessage, cookie?: SessionCookie): PresentedCredentials {
  const { headers, rawHeaders } = request;
  if (headers.authorization === undefined && headers['x-api-key'] === undefined)
    return cookie === undefined ? missing : cookieSession(request, cookie);
  const found: Credentials = { kind: 'presented' };
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!.toLowerCase();
    if (name !== 'authorization' && name !== 'x-api-key') continue;
    const value = rawHeaders[at + 1]!.trim();
    // A payment does not authenticate the client.
    if (name === 'authorization' && isPaymentAuthorization(value)) continue;
    const text = name === 'x-api-key' ? value : bearer.exec(value)?.[1];
    if (!text || text.length > maxLength) return malformed;
    const field = isSessionText(text) ? 'session' : 'key';
    if (found[field] !== undefined && found[field] !== text) return malformed;
    found[field] = text;
  }
  return found.key === undefined && found.session === undefined ? missing : found;
}

function cookieSession(request: IncomingMessage, cookie: SessionCookie): PresentedCredentials {
  const session = cookie.read(request);
  if (session === 'missing') return missing;
  return session === 'malformed' ? malformed : { kind: 'presented', session, isCookie: true };
}
