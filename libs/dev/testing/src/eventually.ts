export interface Patience {
  timeoutMs?: number;
  /** Between two checks; without it, 10 ms at first and more while it takes longer. */
  everyMs?: number;
}

const [shortestMs, longestMs] = [10, 100];

/**
 * Calls `check` until it returns without throwing, and returns its result. Put the `expect` inside: on a time-out the
 * test fails with its last failure.
 */
export async function eventually<T>(
  check: () => T | Promise<T>,
  { timeoutMs = 60_000, everyMs }: Patience = {},
): Promise<T> {
  const startMs = performance.now();
  const endMs = startMs + timeoutMs;
  // A check queries servers that the tested code needs too. A pause of a tenth of its time makes no test slower.
  const pauseMs = (): number =>
    everyMs ?? Math.min(longestMs, Math.max(shortestMs, (performance.now() - startMs) / 10));
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (performance.now() >= endMs) {
        throw timedOut(error, timeoutMs);
      }
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMs()));
  }
}

/** The last failure, marked as a time-out where test reports show it: in its message and in its stack. */
function timedOut(error: unknown, timeoutMs: number): unknown {
  if (!(error instanceof Error)) return error;
  const prefix = `Timed out after ${timeoutMs} ms: `;
  const { message, stack } = error;
  error.message = prefix + message;
  error.stack = prefix + stack;
  return error;
}
