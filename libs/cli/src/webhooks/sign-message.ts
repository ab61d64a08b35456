import { createHmac, randomBytes } from 'node:crypto';
import { UsageError } from '../exit-codes';

export const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

/** The headers of Standard Webhooks, as the API sends them. @throws UsageError */
export function signedHeaders(
  id: string,
  body: string,
  secret: string,
  nowMs: number,
): Record<string, string> {
  const key = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret)?.[1];
  if (!key) throw new UsageError('The secret must be whsec_ and base64.');
  const timestamp = String(Math.floor(nowMs / 1_000));
  const signature = createHmac('sha256', Buffer.from(key, 'base64'))
    .update(`${id}.${timestamp}.${body}`)
    .digest('base64');
  return {
    'content-type': 'application/json',
    'user-agent': 'Tollbridge-Webhooks/1.0',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  };
}
