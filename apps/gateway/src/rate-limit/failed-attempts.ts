import type { SharedCounts } from './shared-counts';

/** Failed authentications of one address that are answered as such. */
export const mostFailures = 60;
export const failureWindowMs = 60_000;
// Addresses that this process knows to be over; past this the oldest is asked about again.
const maxNoted = 10_000;

/** Counts failed authentications by address. Who is over is noted here, so that what he sends next costs nothing. */
export class FailedAttempts {
  private readonly overUntilMs = new Map<string, number>();

  constructor(private readonly counts: Pick<SharedCounts, 'fail'>) {}

  /** For how much longer an address is refused, whatever it presents; 0 for one that is not. */
  refusedForMs(address: string): number {
    const untilMs = this.overUntilMs.get(address);
    if (untilMs === undefined) return 0;
    const leftMs = untilMs - performance.now();
    if (leftMs > 0) return leftMs;
    this.overUntilMs.delete(address);
    return 0;
  }

  /** Counts one more, and answers as `refusedForMs`. While nobody can count, none is too many. */
  async count(address: string): Promise<number> {
    const failed = await this.counts.fail(address, mostFailures, failureWindowMs);
    if (!failed?.isOver) return 0;
    this.overUntilMs.set(address, performance.now() + failed.untilMs);
    if (this.overUntilMs.size > maxNoted) {
      const [oldest] = this.overUntilMs.keys();
      this.overUntilMs.delete(oldest!);
    }
    return failed.untilMs;
  }
}
