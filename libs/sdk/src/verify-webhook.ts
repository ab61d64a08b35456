import type { WebhookEvent } from './generated/webhooks';

/** Reasons for the rejection of a message. */
export type WebhookRejection =
  | 'header_missing'
  | 'timestamp_invalid'
  | 'timestamp_too_old'
  | 'timestamp_too_new'
  | 'signature_mismatch'
  | 'body_not_json';

const sentences: Record<WebhookRejection, string> = {
  header_missing: 'A header is missing: webhook-id, webhook-timestamp and webhook-signature are needed.',
  timestamp_invalid: 'webhook-timestamp is not a time in Unix seconds.',
  timestamp_too_old: 'The message is too old. Check the clock of this machine.',
  timestamp_too_new: 'The message is from the future. Check the clock of this machine.',
  signature_mismatch: 'No signature matches. Pass the body as it arrived, and the current secret.',
  body_not_json: 'The body is signed, but it is not a JSON object.',
};

/** The message is not a valid webhook of this merchant, or is too old. Reply with 401, and do not process it. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';

  constructor(readonly reason: WebhookRejection) {
    super(sentences[reason]);
  }
}

export interface WebhookOptions {
  /** Maximum difference between the time of the message and now, in seconds. Default 300. */
  toleranceSeconds?: number | undefined;
  /** Returns milliseconds since 1970; for tests. */
  now?: (() => number) | undefined;
}

/** Headers of a request: of `fetch`, of Node.js, or any object. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/** A verified message. Store `id`, because the same message may arrive twice. */
export type VerifiedWebhook = WebhookEvent & { id: string };

// `CryptoKey` is not declared when a program is compiled without browser types.
type Key = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

const encoder = new TextEncoder();

/**
 * Verifies a webhook by the Standard Webhooks scheme (HMAC-SHA256) and returns its message.
 * @param body unparsed, as text or bytes
 * @param secret `whsec_…`; several secrets during a rotation
 * @throws WebhookVerificationError
 */
export async function verifyWebhook(
  body: string | Uint8Array | ArrayBuffer,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  { toleranceSeconds = 300, now = Date.now }: WebhookOptions = {},
): Promise<VerifiedWebhook> {
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    headerOf(headers, name),
  );
  if (!id || !timestamp || !signatures) throw new WebhookVerificationError('header_missing');
  if (!/^\d{1,12}$/.test(timestamp)) throw new WebhookVerificationError('timestamp_invalid');
  const ageSeconds = now() / 1_000 - Number(timestamp);
  if (ageSeconds > toleranceSeconds) throw new WebhookVerificationError('timestamp_too_old');
  if (-ageSeconds > toleranceSeconds) throw new WebhookVerificationError('timestamp_too_new');
  const bytes = typeof body === 'string' ? encoder.encode(body) : new Uint8Array(body);
  const signed = joined(encoder.encode(`${id}.${timestamp}.`), bytes);
  const keys = await Promise.all([secret].flat().map(importKey));
  if (!(await isSignedByAny(keys, signatures, signed)))
    throw new WebhookVerificationError('signature_mismatch');
  return { ...parse(bytes), id };
}

// Messages have two signatures during a rotation of the secret. More signatures would only waste computing time.
const mostSignatures = 8;

/** Whether a secret has signed the message. `verify` of WebCrypto compares in constant time. */
async function isSignedByAny(
  keys: readonly Key[],
  header: string,
  signed: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  const given = header.split(' ').slice(0, mostSignatures);
  for (const signature of given.filter((each) => each.startsWith('v1,'))) {
    const expected = fromBase64(signature.slice(3));
    if (!expected) continue;
    for (const key of keys) if (await crypto.subtle.verify('HMAC', key, expected, signed)) return true;
  }
  return false;
}

function importKey(secret: string): Promise<Key> {
  const bytes = fromBase64(secret.replace(/^whsec_/, ''));
  if (!bytes || bytes.length === 0)
    throw new TypeError('The secret of the webhook must be whsec_ and base64.');
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
}

function headerOf(headers: WebhookHeaders, name: string): string | undefined {
  if (typeof headers.get === 'function') return headers.get(name) ?? undefined;
  const given = Object.entries(headers).filter(([each]) => each.toLowerCase() === name);
  const value = given.length === 1 ? given[0]![1] : undefined;
  // A repeated header is ambiguous, so it counts as missing.
  return typeof value === 'string' ? value : undefined;
}

function parse(bytes: Uint8Array): WebhookEvent {
  try {
    const event = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as WebhookEvent;
    if (typeof event.type === 'string') return event;
  } catch {
    // The error is thrown below.
  }
  throw new WebhookVerificationError('body_not_json');
}

function joined(head: Uint8Array, tail: Uint8Array): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(head.length + tail.length);
  whole.set(head);
  whole.set(tail, head.length);
  return whole;
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  } catch {
    return undefined;
  }
}
