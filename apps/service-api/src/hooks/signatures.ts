import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

/** A webhook as it came. */
export interface ReceivedHook {
  body: Buffer;
  headers: Readonly<Record<string, string>>;
  /** What stood in the address behind the provider's name. */
  token: string | undefined;
}

/** How old a signature may be, and how far ahead the sender's clock; what is older may have been listened to. */
export const toleranceMs = 5 * 60_000;
// Senders that change their secret sign under both for a while; more is an attempt to try many at once.
const maxSignatures = 8;

/** Says neither by its time nor by its length where two texts differ. */
function isSame(given: string, expected: string): boolean {
  const [one, other] = [given, expected].map((text) => createHash('sha256').update(text).digest());
  return timingSafeEqual(one!, other!);
}

function isRecent(secondsText: string, nowMs: number): boolean {
  return /^[0-9]{1,12}$/.test(secondsText) && Math.abs(nowMs - Number(secondsText) * 1_000) <= toleranceMs;
}

/** Of Standard Webhooks, and of Svix, which has headers of its own. */
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

/** Over the body and the time, with a colon between. Its time is in seconds, or in milliseconds: the provider does not say. */
export function isReloadlySigned(secret: string, { body, headers }: ReceivedHook, nowMs: number): boolean {
  const timestamp = headers['x-reloadly-request-timestamp'] ?? '';
  const seconds = /^[0-9]{13}$/.test(timestamp) ? timestamp.slice(0, 10) : timestamp;
  if (!isRecent(seconds, nowMs)) return false;
  const digest = createHmac('sha256', secret).update(body).update(`:${timestamp}`).digest('hex');
  return isSame((headers['x-reloadly-signature'] ?? '').toLowerCase(), digest);
}

/**
 * Over the address and the fields of the form, without a time.
 * @param url as it was given to the provider
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

/** Of who signs nothing: what stands in the address is known to him alone. */
export const hasToken = (expected: string, { token = '' }: Pick<ReceivedHook, 'token'>): boolean =>
  isSame(token, expected);
