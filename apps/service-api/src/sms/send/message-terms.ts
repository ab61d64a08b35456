import { createHmac } from 'node:crypto';
import type { TextMessage } from './text-messages';

/** What is stored of a message: to whom, and how it can be recognised. */
export interface StoredMessage {
  to: string;
  digest: string;
}

/** A message on its way to the provider. Its body may hold a code: stored, it is a digest that tells nothing. */
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

/** Keyed: a code of six digits would be guessed from its mere digest. */
export function digestOf(secret: string, { to, body }: TextMessage): string {
  return createHmac('sha256', secret)
    .update(JSON.stringify([to, body]))
    .digest('base64url');
}
