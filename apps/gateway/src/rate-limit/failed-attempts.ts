import { Injectable } from '@nestjs/common';
import { SharedCounts } from './shared-counts';

/** Failed authentications of one address within the window that are answered by 401. */
export const mostFailures = 60;
export const failureWindowMs = 60_000;
// Addresses that this process knows to be over the limit; past this, the oldest is forgotten and counted in Redis.
const maxCached = 10_000;

/**
 * Counts failed authentications of one kind by address. Keys and wallet proofs are counted separately. Any web page can
 * send wrong keys from the address of its visitor: that must not block the visitor from signing in.
 */
export class FailedAttempts {
  private readonly overUntilMs = new Map<string, number>();

  constructor(
    private readonly counts: Pick<SharedCounts, 'fail'>,
    readonly kind: 'keys' | 'proofs',
  ) {}

  /** How long further failures of an address are answered by 429, in milliseconds; 0 for one within the limit. */
  overForMs(address: string): number {
    const untilMs = this.overUntilMs.get(address);
    if (untilMs === undefined) return 0;
    const leftMs = untilMs - performance.now();
    if (leftMs > 0) return leftMs;
    this.overUntilMs.delete(address);
    return 0;
  }

  /** Counts a failure of an address within the limit; returns as `overForMs`. While Redis is unavailable, 0. */
  async count(address: string): Promise<number> {
    const leftMs = this.overForMs(address);
    if (leftMs > 0) return leftMs;
    const failed = await this.counts.fail(`${this.kind}:${address}`, mostFailures, failureWindowMs);
    if (!failed?.isOver) return 0;
    this.overUntilMs.set(address, performance.now() + failed.untilMs);
    if (this.overUntilMs.size > maxCached) {
      const [oldest] = this.overUntilMs.keys();
      this.overUntilMs.delete(oldest!);
    }
    return failed.untilMs;
  }
}

@Injectable()
export class FailedKeys extends FailedAttempts {
  constructor(counts: SharedCounts) {
    super(counts, 'keys');
  }
}

@Injectable()
export class FailedProofs extends FailedAttempts {
  constructor(counts: SharedCounts) {
    super(counts, 'proofs');
  }
}
