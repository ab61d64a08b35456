export interface Patience {
  timeoutMs?: number;
  everyMs?: number;
}

/**
 * Waits until `check` returns without throwing, and gives what it returned. Put the `expect` inside: when time runs
 * out, its last failure is the failure of the test.
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
        if (error instanceof Error) error.message = `Not within ${timeoutMs} ms: ${error.message}`;
        throw error;
      }
    }
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}
