/** What ended an exchange before its end: the clock, or the caller. */
export type AbortedBy = 'timeout' | 'caller';

/**
 * One signal for the end of the time and for the caller's leaving. Not `AbortSignal.any`: its parts can be collected
 * as garbage while the exchange still needs them, and the exchange then hangs.
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

  /** A caller's signal may outlive thousands of exchanges: none of them may stay registered on it. */
  dispose(): void {
    clearTimeout(this.timer);
    this.caller?.removeEventListener('abort', this.leave);
  }

  private end(by: AbortedBy): void {
    this.abortedBy ??= by;
    this.controller.abort();
  }
}

/** The promise's outcome, or a rejection as soon as the caller leaves, whatever the promise still waits for. */
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
