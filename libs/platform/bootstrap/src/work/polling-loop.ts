/**
 * When a job runs next. `more`: immediately. `done`: after the usual pause. `later`: after a pause that grows
 * with each consecutive `later`, because another party has to act first. `idle`: after `idleMs` milliseconds,
 * or at a call of `wake`.
 */
export type PollResult = { kind: 'more' | 'done' | 'later' } | { kind: 'idle'; idleMs: number };

/** The longest sleep of a job, in milliseconds. A lost hint delays work by at most this time. */
export const longestIdleMs = 5_000;

// Limits the pause to about half a minute for a job that usually runs every second.
const mostDoublings = 5;

/**
 * Runs a job repeatedly until stopped: immediately while it returns `more`, otherwise after a pause. Calls of
 * `wake` do not shorten the pause between two runs.
 */
export class PollingLoop {
  private readonly abort = new AbortController();
  private loop: Promise<void> = Promise.resolve();
  /** Whether `wake` was called since the last run began. That run may have missed new work. */
  private isWoken = false;
  private endSleep: () => void = () => undefined;

  constructor(
    private readonly job: () => Promise<PollResult>,
    private readonly pauseMs: number,
    private readonly onError: (error: unknown) => void,
  ) {}

  start(): void {
    this.loop = this.run();
  }

  /** Announces possible work. A sleeping job runs now; a pausing or running job does not sleep afterwards. */
  wake(): void {
    this.isWoken = true;
    this.endSleep();
  }

  /** Resolves when the current run has ended. */
  async stop(): Promise<void> {
    this.abort.abort();
    await this.loop;
  }

  private async run(): Promise<void> {
    // Growing pauses after failures reduce the load on a dependency that is down.
    let failures = 0;
    let delays = 0;
    while (!this.abort.signal.aborted) {
      let pauseMs = this.pauseMs;
      let idleMs = 0;
      this.isWoken = false;
      try {
        const next = await this.job();
        delays = next.kind === 'later' ? Math.min(delays + 1, mostDoublings) : 0;
        pauseMs = next.kind === 'more' ? 0 : this.pauseMs * 2 ** delays;
        if (next.kind === 'idle') idleMs = Math.min(next.idleMs, longestIdleMs) - pauseMs;
        failures = 0;
      } catch (error) {
        this.onError(error);
        pauseMs = Math.min(this.pauseMs * 2 ** ++failures, Math.max(this.pauseMs, 5_000));
      }
      // After a stop during the run the loop must not pause: a listener that is added after the abort is never called.
      if (pauseMs > 0 && !this.abort.signal.aborted) await this.pause(pauseMs);
      if (idleMs > 0 && !this.abort.signal.aborted) await this.sleep(idleMs);
    }
  }

  private async sleep(milliseconds: number): Promise<void> {
    if (this.isWoken) return;
    await this.pause(milliseconds, (end) => (this.endSleep = end));
    this.endSleep = () => undefined;
  }

  private pause(milliseconds: number, onStarted?: (end: () => void) => void): Promise<void> {
    const { signal } = this.abort;
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', end);
        resolve();
      };
      const timer = setTimeout(end, milliseconds);
      signal.addEventListener('abort', end);
      onStarted?.(end);
    });
  }
}
