import { ProviderError } from '@tollbridge/providers';

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
