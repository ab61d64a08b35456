import { createHmac } from 'node:crypto';

export type HookHeaders = Readonly<Record<string, string>>;

/** A message to one URL. Retries have the same id. */
export interface SignedHook {
  id: string;
  body: string;
  nowMs: number;
}

const secondsOf = (ms: number): string => String(Math.floor(ms / 1_000));

/** Reloadly's signature of body and timestamp, joined by a colon. The timestamp is in seconds. */
export function reloadlyHeaders(secret: string, { body, nowMs }: SignedHook): HookHeaders {
  const timestamp = secondsOf(nowMs);
  return {
    'x-reloadly-request-timestamp': timestamp,
    'x-reloadly-signature': createHmac('sha256', secret).update(`${body}:${timestamp}`).digest('hex'),
  };
}

/**
 * Signature of Standard Webhooks, which is based on Svix.
 * @param prefix of the three headers: the prefix of Svix, or of the standard
 * @param secret `whsec_` followed by the key in base64
 */
export function standardHeaders(
  prefix: 'svix' | 'webhook',
  secret: string,
  { id, body, nowMs }: SignedHook,
): HookHeaders {
  const timestamp = secondsOf(nowMs);
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return {
    [`${prefix}-id`]: id,
    [`${prefix}-timestamp`]: timestamp,
    [`${prefix}-signature`]: `v1,${signature}`,
  };
}

/** Twilio's signature of a form: the URL, followed by each field name with its value, in the order of names. */
export function twilioHeaders(
  authToken: string,
  url: string,
  form: Readonly<Record<string, string>>,
): HookHeaders {
  const fields = Object.keys(form).sort();
  const signed = url + fields.map((name) => name + form[name]!).join('');
  return { 'x-twilio-signature': createHmac('sha1', authToken).update(signed).digest('base64') };
}
