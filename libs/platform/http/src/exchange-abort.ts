/** Cause of an abort: the time-out or the caller. */
export type AbortedBy = 'timeout' | 'caller';

/**
 * One signal for the time-out and the caller's abort. `AbortSignal.any` is not suitable: its sources can be
 * garbage-collected while the exchange still needs them, and the exchange then hangs.
 */
export class ExchangeAbort {
  abortedBy: AbortedBy | null = null;
  private readonly controller = new AbortController();
  private readonly timer: NodeJS.Timeout;
  private readonly leave = () => this.end('caller');

  constructor(
    timeoutMs: number,
    private readonly caller?: AbortSignal,
  ) {
    this.timer = setTimeout(() => this.end('timeout'), timeoutMs);
    if (caller?.aborted) this.leave();
    else caller?.addEventListener('abort', this.leave, { once: true });
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Removes the listener, because a signal of the caller may outlive thousands of exchanges. */
  dispose(): void {
    clearTimeout(this.timer);
    this.caller?.removeEventListener('abort', this.leave);
  }

  private end(by: AbortedBy): void {
    this.abortedBy ??= by;
    this.controller.abort();
  }
}

/** Resolves like the promise, or rejects as soon as the caller aborts. */
export async function untilAborted<T>(promise: Promise<T>, caller: AbortSignal | undefined): Promise<T> {
  if (!caller) return promise;
  let leave = (): void => undefined;
  const left = new Promise<never>((_resolve, reject) => {
    leave = () => reject(new Error('the caller gave up'));
  });
  if (caller.aborted) leave();
  else caller.addEventListener('abort', leave, { once: true });
  try {
    return await Promise.race([promise, left]);
  } finally {
    caller.removeEventListener('abort', leave);
  }
}
