export interface Patience {
  timeoutMs?: number;
  /** Interval between two checks. Default: 10 ms at first, longer later. */
  everyMs?: number;
}

const [shortestMs, longestMs] = [10, 100];

/**
 * Calls `check` until it returns without throwing, and returns its result. Put the `expect` inside: after the time
 * limit the test fails with the last error of the check.
 */
export async function eventually<T>(
  check: () => T | Promise<T>,
  { timeoutMs = 60_000, everyMs }: Patience = {},
): Promise<T> {
  const startMs = performance.now();
  const endMs = startMs + timeoutMs;
  // A check queries servers that the tested code also needs. The pause is a tenth of the elapsed time, so tests are not
  // slower.
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

/** The last error, marked as a time-out in its message and its stack, because test reports show them. */
function timedOut(error: unknown, timeoutMs: number): unknown {
  if (!(error instanceof Error)) return error;
  const prefix = `Timed out after ${timeoutMs} ms: `;
  const { message, stack } = error;
  error.message = prefix + message;
  error.stack = prefix + stack;
  return error;
}
