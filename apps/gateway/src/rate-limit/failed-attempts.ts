import type { SharedCounts } from './shared-counts';

/** Failed authentications of one address that are answered as such. */
export const mostFailures = 60;
export const failureWindowMs = 60_000;
// Addresses that this process knows to be over; past this the oldest is asked about again.
const maxNoted = 10_000;

/**
 * Counts failed authentications of one kind by address. Keys and proofs of wallets are counted apart: any web page can
 * send wrong keys from its visitor's address, which must not keep the visitor from signing in.
 */
export class FailedAttempts {
  private readonly overUntilMs = new Map<string, number>();

  constructor(
    private readonly counts: Pick<SharedCounts, 'fail'>,
    readonly kind: 'keys' | 'proofs',
  ) {}

  /** For how much longer further failures of an address are answered by 429, in milliseconds; 0 for one that is not over. */
  overForMs(address: string): number {
    const untilMs = this.overUntilMs.get(address);
    if (untilMs === undefined) return 0;
    const leftMs = untilMs - performance.now();
    if (leftMs > 0) return leftMs;
    this.overUntilMs.delete(address);
    return 0;
  }

  /** Counts one more, unless the address is over, and answers as `overForMs`. While Redis is away, none is too many. */
  async count(address: string): Promise<number> {
    const leftMs = this.overForMs(address);
    if (leftMs > 0) return leftMs;
    const failed = await this.counts.fail(`${this.kind}:${address}`, mostFailures, failureWindowMs);
    if (!failed?.isOver) return 0;
    this.overUntilMs.set(address, performance.now() + failed.untilMs);
    if (this.overUntilMs.size > maxNoted) {
      const [oldest] = this.overUntilMs.keys();
      this.overUntilMs.delete(oldest!);
    }
    return failed.untilMs;
  }
}
