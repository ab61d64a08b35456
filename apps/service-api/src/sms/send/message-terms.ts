import { secretValues } from '@tollbridge/config';
import { createHmac } from 'node:crypto';
import type { TextMessage } from './text-messages';

/** The stored form of a message: recipient and digest. */
export interface StoredMessage {
  to: string;
  digest: string;
}

/** A message to send. Its body may contain a code, so only a keyed digest of the body is stored. */
export class MessageTerms implements TextMessage {
  constructor(
    readonly to: string,
    readonly body: string,
    /** One secret, or two during a rotation, the new one first. */
    private readonly secrets: string,
  ) {}

  toJSON(): StoredMessage {
    return { to: this.to, digest: digestsOf(this.secrets, this)[0]! };
  }
}

/**
 * Returns one keyed digest for each secret, first that of new messages. A plain digest would reveal a six-digit code.
 */
export function digestsOf(secrets: string, { to, body }: TextMessage): string[] {
  const text = JSON.stringify([to, body]);
  return secretValues(secrets).map((secret) => createHmac('sha256', secret).update(text).digest('base64url'));
}
