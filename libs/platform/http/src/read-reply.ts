// Fields of a provider's JSON, one by one: nothing of a reply is used that was not looked at. Pure.
import { ProviderError } from './provider-error';

/** A reply that is not what its documentation says. */
export class UnreadableReply extends Error {
  override readonly name = 'UnreadableReply';
}

export type Fields = Readonly<Record<string, unknown>>;

export function fieldsOf(value: unknown, what: string): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new UnreadableReply(`${what} is no object`);
  return value as Fields;
}

/** What is read of a reply; where it cannot be, nothing of it is believed. */
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
