import { DomainError } from '@tollbridge/rpc';
import { ProviderError, UnreadableReply, type Fields, type ProviderErrorKind } from '@tollbridge/http';

/** Why an issuer makes no card, `details.reason` of the refusal. */
export type RefusalReason = 'DECLINED' | 'ISSUER_OUT_OF_FUNDS';

const sentences: Record<RefusalReason, string> = {
  DECLINED: 'The issuer declined to issue this card. Choose another amount.',
  ISSUER_OUT_OF_FUNDS:
    'The issuer has no funds for this card at present. Choose a smaller amount, or retry later.',
};

export function refused(reason: RefusalReason, cause?: unknown): DomainError {
  return new DomainError('PURCHASE_REFUSED', sentences[reason], { details: { reason }, cause });
}

/** The issuer does not take who we are: whoever asks for a card can do nothing about it, and nothing was bought. */
export function notLetIn(cause: unknown): DomainError {
  return new DomainError('UPSTREAM_UNAVAILABLE', 'The card issuer does not answer at present. Retry later.', {
    cause,
  });
}

/** What a refusal means after which certainly nothing was bought: it looked at what was asked for, or at who we are. */
export function refusalBy(error: ProviderError, reason: RefusalReason): DomainError {
  return error.status === 400 || error.status === 422 ? refused(reason, error) : notLetIn(error);
}

/** What only was to be read could not be. No word of the issuer is told. */
export function unreadable(error: unknown): DomainError {
  if (error instanceof DomainError) return error;
  if (!(error instanceof ProviderError)) throw error;
  return notLetIn(error);
}

/** What a reply says, or the failure that one which cannot be read is. */
export function readOr<T>(provider: string, kind: ProviderErrorKind, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof UnreadableReply)) throw error;
    // The sentence names a field and never what stands in it: that may be the number of a card.
    throw new ProviderError(provider, { kind, message: `answered what cannot be read: ${error.message}` });
  }
}

/** A text of a form that is known; a number where it was written as one. */
export function textOf(fields: Fields, name: string, form: RegExp): string {
  const value = fields[name];
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string' || !form.test(text)) throw new UnreadableReply(`${name} has not its form`);
  return text;
}

export const idForm = /^[\x21-\x7e]{1,128}$/;
export const numberForm = /^[0-9]{12,19}$/;
export const cvvForm = /^[0-9]{3,4}$/;
export const monthForm = /^(0[1-9]|1[0-2])$/;
export const yearForm = /^20[0-9]{2}$/;
