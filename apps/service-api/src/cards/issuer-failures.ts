import { DomainError } from '@tollbridge/rpc';
import { ProviderError, UnreadableReply, type Fields, type ProviderErrorKind } from '@tollbridge/http';

/** `details.reason` of a declined card. */
export type DeclineReason = 'DECLINED' | 'ISSUER_OUT_OF_FUNDS';

const messages: Record<DeclineReason, string> = {
  DECLINED: 'The issuer declined to issue this card. Choose another amount.',
  ISSUER_OUT_OF_FUNDS:
    'The issuer has no funds for this card at present. Choose a smaller amount, or retry later.',
};

export function declined(reason: DeclineReason, cause?: unknown): DomainError {
  return new DomainError('PURCHASE_REFUSED', messages[reason], { details: { reason }, cause });
}

/** The issuer rejects this deployment's account. No card was issued, and the client cannot correct the request. */
export function issuerUnavailable(cause: unknown): DomainError {
  return new DomainError('UPSTREAM_UNAVAILABLE', 'The card issuer does not answer at present. Retry later.', {
    cause,
  });
}

/** Converts a rejection of the request or of this deployment's account. The issuer certainly issued no card. */
export function rejectionOf(error: ProviderError, reason: DeclineReason): DomainError {
  return error.status === 400 || error.status === 422 ? declined(reason, error) : issuerUnavailable(error);
}

/** Converts the failure of a read to an error without text of the issuer. */
export function readFailure(error: unknown): DomainError {
  if (error instanceof DomainError) return error;
  if (!(error instanceof ProviderError)) throw error;
  return issuerUnavailable(error);
}

/** Reads a reply. An unreadable reply becomes a ProviderError of the given kind. */
export function readOr<T>(provider: string, kind: ProviderErrorKind, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof UnreadableReply)) throw error;
    // The message names a field and never its value, which may be a card number.
    throw new ProviderError(provider, { kind, message: `sent an unreadable reply: ${error.message}` });
  }
}

/** Reads text, or a number as text, that must match `form`. */
export function textOf(fields: Fields, name: string, form: RegExp): string {
  const value = fields[name];
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string' || !form.test(text)) throw new UnreadableReply(`${name} is malformed`);
  return text;
}

export const idForm = /^[\x21-\x7e]{1,128}$/;
export const numberForm = /^[0-9]{12,19}$/;
export const cvvForm = /^[0-9]{3,4}$/;
export const monthForm = /^(0[1-9]|1[0-2])$/;
export const yearForm = /^20[0-9]{2}$/;
