import { createHmac } from 'node:crypto';

export type HookHeaders = Readonly<Record<string, string>>;

/** One message as it is sent to one address; it keeps its id when it is sent again. */
export interface SignedHook {
  id: string;
  body: string;
  nowMs: number;
}

const secondsOf = (ms: number): string => String(Math.floor(ms / 1_000));

/** As Reloadly signs: over the body and the time, with a colon between. Its time is in seconds. */
export function reloadlyHeaders(secret: string, { body, nowMs }: SignedHook): HookHeaders {
  const timestamp = secondsOf(nowMs);
  return {
    'x-reloadly-request-timestamp': timestamp,
    'x-reloadly-signature': createHmac('sha256', secret).update(`${body}:${timestamp}`).digest('hex'),
  };
}

/**
 * As Standard Webhooks has it, which Svix is the model of.
 * @param prefix of the three headers: Svix's own, or the standard's
 * @param secret `whsec_` and the key in base64
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

/** As Twilio signs a form: the whole address, then each field in the order of their names, followed by its value. */
export function twilioHeaders(
  authToken: string,
  url: string,
  form: Readonly<Record<string, string>>,
): HookHeaders {
  const fields = Object.keys(form).sort();
  const signed = url + fields.map((name) => name + form[name]!).join('');
  return { 'x-twilio-signature': createHmac('sha1', authToken).update(signed).digest('base64') };
}
