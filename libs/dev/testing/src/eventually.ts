export interface Patience {
  timeoutMs?: number;
  everyMs?: number;
}

/**
 * Calls `check` until it returns without throwing, and returns its result. Put the `expect` inside: on a time-out the
 * test fails with its last failure.
 */
export async function eventually<T>(
  check: () => T | Promise<T>,
  { timeoutMs = 30_000, everyMs = 20 }: Patience = {},
): Promise<T> {
  const endMs = performance.now() + timeoutMs;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (performance.now() >= endMs) {
        throw timedOut(error, timeoutMs);
      }
    }
    await new Promise((resolve) => setTimeout(resolve, everyMs));
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
