import { Injectable } from '@nestjs/common';
import { DomainError, merchantOf, type CallContext } from '@tollbridge/rpc';
import { ExchangeAbort } from '@tollbridge/http';

// Each holds a timer and a few kilobytes, and asks its provider every few seconds.
const maxAtOnce = 1_000;
// One merchant must not take the places of all.
const maxAtOnceOfOne = 200;

/** Bounds how many calls wait for something to arrive, in one process. */
@Injectable()
export class WaitingCalls {
  private readonly waiting = new Map<string, number>();
  private count = 0;

  /**
   * Does what waits, until `timeoutMs` have passed or the caller has hung up; `signal` is aborted then.
   * @throws DomainError RATE_LIMIT_EXCEEDED where too many wait already; nothing was begun then
   */
  async during<T>(
    context: CallContext,
    timeoutMs: number,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const owner = merchantOf(context);
    const own = this.waiting.get(owner) ?? 0;
    if (this.count >= maxAtOnce || own >= maxAtOnceOfOne)
      throw new DomainError(
        'RATE_LIMIT_EXCEEDED',
        'Too many waiting calls. Retry after retryAfter seconds.',
        {
          retryAfterSeconds: 5,
        },
      );
    this.waiting.set(owner, own + 1);
    this.count++;
    const end = new ExchangeAbort(timeoutMs, context.signal);
    try {
      return await work(end.signal);
    } finally {
      end.dispose();
      const left = this.waiting.get(owner)! - 1;
      if (left === 0) this.waiting.delete(owner);
      else this.waiting.set(owner, left);
      this.count--;
    }
  }
}
