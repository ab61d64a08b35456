import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

/** A webhook as received. */
export interface ReceivedHook {
  body: Buffer;
  headers: Readonly<Record<string, string>>;
  /** The URL segment after the provider's name. */
  token: string | undefined;
}

/** Maximum age of a signature, including clock skew. An older signature may be a replay. */
export const toleranceMs = 5 * 60_000;
// During a rotation, a sender signs with both secrets. Many more signatures are an attack.
const maxSignatures = 8;

/** Compares in constant time, also when the lengths differ. */
function isSame(given: string, expected: string): boolean {
  const [one, other] = [given, expected].map((text) => createHash('sha256').update(text).digest());
  return timingSafeEqual(one!, other!);
}

function isRecent(secondsText: string, nowMs: number): boolean {
  return /^[0-9]{1,12}$/.test(secondsText) && Math.abs(nowMs - Number(secondsText) * 1_000) <= toleranceMs;
}

/** Verifies a signature of Standard Webhooks, or of Svix, which has its own header prefix. */
export function isStandardSigned(
  prefix: 'svix' | 'webhook',
  secret: string,
  { body, headers }: ReceivedHook,
  nowMs: number,
): boolean {
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map(
    (it) => headers[`${prefix}-${it}`],
  );
  if (!id || !timestamp || !signatures || !isRecent(timestamp, nowMs)) return false;
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const digest = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64');
  const given = signatures.split(' ').slice(0, maxSignatures);
  return given.filter((signature) => isSame(signature, `v1,${digest}`)).length > 0;
}

/**
 * Verifies a signature of body and timestamp, joined by a colon. The documentation does not state whether the timestamp
 * is in seconds or milliseconds.
 */
export function isReloadlySigned(secret: string, { body, headers }: ReceivedHook, nowMs: number): boolean {
  const timestamp = headers['x-reloadly-request-timestamp'] ?? '';
  const seconds = /^[0-9]{13}$/.test(timestamp) ? timestamp.slice(0, 10) : timestamp;
  if (!isRecent(seconds, nowMs)) return false;
  const digest = createHmac('sha256', secret).update(body).update(`:${timestamp}`).digest('hex');
  return isSame((headers['x-reloadly-signature'] ?? '').toLowerCase(), digest);
}

/**
 * Verifies a signature of the URL and the form fields. It covers no timestamp.
 * @param url as sent to the provider
 */
export function isTwilioSigned(
  authToken: string,
  url: string,
  { body, headers }: Pick<ReceivedHook, 'body' | 'headers'>,
): boolean {
  const form = new URLSearchParams(body.toString());
  const names = [...new Set(form.keys())].sort();
  const valuesOf = (name: string): string[] => [...new Set(form.getAll(name))].sort();
  const signed = url + names.flatMap((name) => valuesOf(name).map((value) => name + value)).join('');
  const digest = createHmac('sha1', authToken).update(signed).digest('base64');
  return isSame(headers['x-twilio-signature'] ?? '', digest);
}

/** For a provider without signatures: the URL contains a token that only the provider has. */
export const hasToken = (expected: string, { token = '' }: Pick<ReceivedHook, 'token'>): boolean =>
  isSame(token, expected);
