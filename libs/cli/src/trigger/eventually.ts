import { setTimeout as sleep } from 'node:timers/promises';
import { CommandError } from '../exit-codes';

const timeoutMs = 90_000;
const pauseMs = 500;

/** Reads until there is something. @throws CommandError when nothing is there in time */
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
