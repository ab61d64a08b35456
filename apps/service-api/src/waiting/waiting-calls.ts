import { Injectable } from '@nestjs/common';
import { DomainError, merchantOf, saleIdOf, type CallContext } from '@tollbridge/rpc';
import { ExchangeAbort } from '@tollbridge/http';

// A waiting call needs a timer and a few KB, and polls its provider every few seconds.
const maxWaiting = 1_000;
// Keeps one merchant from using all places.
const maxPerMerchant = 200;

/** Limits the waiting calls of one process. */
@Injectable()
export class WaitingCalls {
  private readonly waiting = new Map<string, number>();
  private count = 0;

  /**
   * Runs `work`. Aborts its signal after `timeoutMs`, or when the client disconnects.
   * @throws DomainError RATE_LIMIT_EXCEEDED when too many calls wait: `work` was not started
   */
  async during<T>(
    context: CallContext,
    timeoutMs: number,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    // New wallets cost nothing, so all payers without an account share the places of one merchant.
    const owner = saleIdOf(context) === undefined ? merchantOf(context) : 'payers';
    const own = this.waiting.get(owner) ?? 0;
    if (this.count >= maxWaiting || own >= maxPerMerchant)
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
