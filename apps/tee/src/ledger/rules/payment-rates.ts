import type { Account, AccountKey } from './account';

const windowMs = 60_000;

/** Payments of the last minute, by account with a rate limit. */
export class PaymentRates {
  private readonly recent = new Map<AccountKey, number[]>();

  /** Returns the seconds until the account may pay; 0 when it may pay now. */
  waitS({ key, policy }: Account, nowMs: number): number {
    if (!policy) return 0;
    const times = this.timesOf(key, nowMs);
    if (times.length < policy.rateLimit) return 0;
    const oldest = times[times.length - policy.rateLimit] ?? nowMs;
    return Math.max(1, Math.ceil((oldest + windowMs - nowMs) / 1000));
  }

  count({ key, policy }: Account, nowMs: number): void {
    if (!policy) return;
    const times = this.timesOf(key, nowMs);
    times.push(nowMs);
    this.recent.set(key, times);
  }

  /** Drops accounts without a payment in the last minute. */
  sweep(nowMs: number): void {
    for (const key of this.recent.keys()) if (this.timesOf(key, nowMs).length === 0) this.recent.delete(key);
  }

  private timesOf(key: AccountKey, nowMs: number): number[] {
    const times = this.recent.get(key) ?? [];
    let expired = 0;
    while (expired < times.length && times[expired]! <= nowMs - windowMs) expired++;
    if (expired > 0) times.splice(0, expired);
    return times;
  }
}
