import { setTimeout as sleep } from 'node:timers/promises';
import { CommandError } from '../exit-codes';

const timeoutMs = 90_000;
const pauseMs = 500;

/** Polls until a value is available. @throws CommandError when none is available in time */
export async function eventually<T>(
  read: () => Promise<T | undefined>,
  what: string,
  signal: AbortSignal,
): Promise<T> {
  for (const end = performance.now() + timeoutMs; performance.now() < end;) {
    const found = await read();
    if (found !== undefined) return found;
    await sleep(pauseMs, undefined, { signal });
  }
  throw new CommandError(`${what} after ${timeoutMs / 1_000} s.`);
}
