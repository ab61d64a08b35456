import { createHmac } from 'node:crypto';
import type { TextMessage } from './text-messages';

/** The stored form of a message: recipient and digest. */
export interface StoredMessage {
  to: string;
  digest: string;
}

/** A message to send. Its body may hold a code, so only a keyed digest of it is stored. */
export class MessageTerms implements TextMessage {
  constructor(
    readonly to: string,
    readonly body: string,
    private readonly secret: string,
  ) {}

  toJSON(): StoredMessage {
    return { to: this.to, digest: digestOf(this.secret, this) };
  }
}

/** Keyed: a six-digit code could be guessed from a plain digest. */
export function digestOf(secret: string, { to, body }: TextMessage): string {
  return createHmac('sha256', secret)
    .update(JSON.stringify([to, body]))
    .digest('base64url');
}
