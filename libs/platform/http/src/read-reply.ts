import { ProviderError } from './provider-error';

type ReadFailureKind = 'badReply' | 'unknownOutcome';

/** Runs `read`. @throws ProviderError of the given kind when a field cannot be read */
export function readReply<T>(provider: string, read: () => T, kind: ReadFailureKind = 'badReply'): T {
  try {
    return read();
  } catch (cause) {
    throw notUsable(provider, cause, kind);
  }
}

/** Same as `readReply`, for an asynchronous parser. */
export async function readReplyAsync<T>(provider: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (cause) {
    throw notUsable(provider, cause, 'badReply');
  }
}

function notUsable(provider: string, cause: unknown, kind: ReadFailureKind): ProviderError {
  const { message } = cause as Error;
  return new ProviderError(provider, { kind, message: `the reply is not usable: ${message}`, cause });
}
