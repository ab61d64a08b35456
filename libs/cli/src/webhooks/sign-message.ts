import { createHmac, randomBytes } from 'node:crypto';
import type { CommandContext } from '../command';
import { UsageError } from '../exit-codes';

export const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

/** Returns the secret of `--secret` or of the environment; undefined without either. @throws UsageError */
export function givenSecret({
  flag,
  terminal,
}: Pick<CommandContext, 'flag' | 'terminal'>): string | undefined {
  const option = flag('secret');
  const secret = option ?? (terminal.env['TOLLBRIDGE_WEBHOOK_SECRET'] || undefined);
  if (secret === undefined || keyOf(secret)) return secret;
  throw new UsageError(
    `${option === undefined ? 'TOLLBRIDGE_WEBHOOK_SECRET' : '--secret'} must be whsec_ and base64.`,
    'Copy the whole secret, or leave it out: a new one is made and printed.',
  );
}

/** Returns the key of a secret that `verifyWebhook` of the SDK also accepts; undefined for any other text. */
function keyOf(secret: string): Buffer | undefined {
  const text = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret)?.[1];
  try {
    // `Buffer` ignores invalid base64 characters, but the SDK rejects them.
    return text === undefined ? undefined : Buffer.from(atob(text), 'latin1');
  } catch {
    return undefined;
  }
}

/** Returns Standard Webhooks headers, like the API. @throws UsageError */
export function signedHeaders(
  id: string,
  body: string,
  secret: string,
  nowMs: number,
): Record<string, string> {
  const key = keyOf(secret);
  if (!key) throw new UsageError('The secret must be whsec_ and base64.');
  const timestamp = String(Math.floor(nowMs / 1_000));
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return {
    'content-type': 'application/json',
    'user-agent': 'Tollbridge-Webhooks/1.0',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  };
}
