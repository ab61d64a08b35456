import { ReadFailure } from './read-failure';

export const leftReason = 'the caller gave up waiting';

/** The end of a read: a time-out or an abort by the caller. */
export class Deadline {
  /** Never resolves; rejects with the reason. */
  readonly reached: Promise<never>;
  private readonly abort = new AbortController();
  private readonly timer: NodeJS.Timeout;
  private readonly leave = () => this.end(leftReason);
  private reject: (failure: ReadFailure) => void = () => undefined;

  constructor(
    timeoutMs: number,
    private readonly caller?: AbortSignal,
  ) {
    this.reached = new Promise<never>((_resolve, reject) => (this.reject = reject));
    this.timer = setTimeout(() => this.end(`not read within ${timeoutMs} ms`), timeoutMs);
    caller?.addEventListener('abort', this.leave, { once: true });
  }

  get signal(): AbortSignal {
    return this.abort.signal;
  }

  /** Also aborts running requests, because after one failure the other requests of a read are useless. */
  dispose(): void {
    this.abort.abort();
    clearTimeout(this.timer);
    this.caller?.removeEventListener('abort', this.leave);
  }

  private end(reason: string): void {
    this.reject(new ReadFailure(reason));
    this.abort.abort();
  }
}
