/** How long an app takes to stop, in milliseconds. */
export interface StopTimes {
  /** Readiness is false for this time, but work is still accepted. */
  delayMs: number;
  /** Maximum time for open work after the delay. */
  timeoutMs: number;
}

// Time for workers to end and connections to close after the last open call.
const closeMarginMs = 8_000;

/** @param config of an app with `stopSettings`; tests without them stop without a delay */
export function stopTimesOf(config: unknown): StopTimes {
  const { STOP_DELAY_MS: delayMs = 0, STOP_TIMEOUT_MS: timeoutMs = 75_000 } = (config ?? {}) as {
    STOP_DELAY_MS?: number;
    STOP_TIMEOUT_MS?: number;
  };
  return { delayMs, timeoutMs };
}

/**
 * The stop of a process. Readiness becomes false at its begin, so that load balancers withdraw the process.
 * The process accepts work until the delay is over, because the withdrawal takes a while.
 */
export class Stopping {
  private delay: Promise<void> | undefined;

  constructor(readonly times: StopTimes) {}

  get isStopping(): boolean {
    return this.delay !== undefined;
  }

  /** Maximum duration of a stop, in milliseconds; a supervisor kills the process after it. */
  get longestMs(): number {
    return this.times.delayMs + this.times.timeoutMs + closeMarginMs;
  }

  /** Begins the stop. Resolves when the process may reject work. */
  begin(): Promise<void> {
    return (this.delay ??= new Promise((resolve) => setTimeout(resolve, this.times.delayMs)));
  }
}
