// Reads fields of a provider's JSON one by one: only validated fields are used. Pure.
import { ProviderError } from './provider-error';

/** A reply that contradicts its documentation. */
export class UnreadableReply extends Error {
  override readonly name = 'UnreadableReply';
}

export type Fields = Readonly<Record<string, unknown>>;

export function fieldsOf(value: unknown, what: string): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new UnreadableReply(`${what} is no object`);
  return value as Fields;
}

/** Runs `read`. @throws ProviderError of this kind when a field cannot be read */
export function readReply<T>(
  provider: string,
  read: () => T,
  kind: 'badReply' | 'unknownOutcome' = 'badReply',
): T {
  try {
    return read();
  } catch (cause) {
    const { message } = cause as Error;
    throw new ProviderError(provider, { kind, message: `the reply is not usable: ${message}`, cause });
  }
}
