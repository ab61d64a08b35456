import { Injectable } from '@nestjs/common';
import { SharedCounts } from './shared-counts';

/** The number of failed authentications of an address that get a 401 within the window. */
export const mostFailures = 60;
export const failureWindowMs = 60_000;
// The number of addresses over the limit that this process caches. Above it, the oldest entry is dropped and counted in
// Redis.
const maxCached = 10_000;

/**
 * Counts failed authentications by address. Keys and wallet proofs are counted separately, because any web page can
 * send invalid keys from the address of its visitor. That must not prevent the visitor from signing in.
 */
export class FailedAttempts {
  private readonly overUntilMs = new Map<string, number>();

  constructor(
    private readonly counts: Pick<SharedCounts, 'fail'>,
    readonly kind: 'keys' | 'proofs',
  ) {}

  /** How long further failures of an address get a 429, in milliseconds; 0 within the limit. */
  overForMs(address: string): number {
    const untilMs = this.overUntilMs.get(address);
    if (untilMs === undefined) return 0;
    const leftMs = untilMs - performance.now();
    if (leftMs > 0) return leftMs;
    this.overUntilMs.delete(address);
    return 0;
  }

  /** Counts a failure of an address within the limit. @returns the same as `overForMs`; 0 while Redis is unavailable */
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
