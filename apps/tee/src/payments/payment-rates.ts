import type { Account, AccountKey } from './account';

const windowMs = 60_000;

/** How many payments each account with a limit has made within the last minute. */
export class PaymentRates {
  private readonly recent = new Map<AccountKey, number[]>();

  /** Seconds until the account may pay again; 0 if it may now. */
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

  /** Forgets accounts that have not paid within the minute. */
  sweep(nowMs: number): void {
    for (const key of this.recent.keys()) if (this.timesOf(key, nowMs).length === 0) this.recent.delete(key);
  }

  private timesOf(key: AccountKey, nowMs: number): number[] {
    const times = this.recent.get(key) ?? [];
    let gone = 0;
    while (gone < times.length && times[gone]! <= nowMs - windowMs) gone++;
    if (gone > 0) times.splice(0, gone);
    return times;
  }
}
