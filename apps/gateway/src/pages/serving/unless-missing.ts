import { DomainError } from '@tollbridge/rpc';

/** The result of a read; undefined when the service returns `NOT_FOUND`. */
export async function unlessMissing<T>(read: Promise<T>): Promise<T | undefined> {
  try {
    return await read;
  } catch (error) {
    if (error instanceof DomainError && error.code === 'NOT_FOUND') return undefined;
    throw error;
  }
}
