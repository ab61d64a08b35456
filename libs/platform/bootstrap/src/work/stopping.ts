/** How long an app takes to stop, in milliseconds. */
export interface StopTimes {
  /** Readiness is false, and work is still accepted. */
  delayMs: number;
  /** Open work may take so long after the delay. */
  timeoutMs: number;
}

// Workers end and connections close after the last open call.
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
 * The stop of a process. From its begin readiness is false, so that load balancers withdraw the process; it accepts
 * work until the delay is over, since they take a while.
 */
export class Stopping {
  private delay: Promise<void> | undefined;

  constructor(readonly times: StopTimes) {}

  get isStopping(): boolean {
    return this.delay !== undefined;
  }

  /** The longest time of a stop; a supervisor kills after it. */
  get longestMs(): number {
    return this.times.delayMs + this.times.timeoutMs + closeMarginMs;
  }

  /** Resolves when the process may reject work. */
  begin(): Promise<void> {
    return (this.delay ??= new Promise((resolve) => setTimeout(resolve, this.times.delayMs)));
  }
}
