import { OversizedReply, ProviderError } from '@tollbridge/http';

// A learnt limit may have been caused by a short overload, so a larger range is tried again after this time.
const rememberMs = 600_000;

/** State of a node's limit for one request: a number of blocks, or of items in a page. */
export interface RangeState {
  /** Null while the node has rejected nothing. */
  atMost: number | null;
  rejections: number;
}

/**
 * Learns from rejections how large a range a node accepts, whatever their message is. Each rejection halves the size,
 * and each success doubles it. A size that was rejected twice, although half of it was accepted, becomes the limit.
 */
export class RangeLimit {
  rejections = 0;
  /** Size of the most recently rejected range; 0 before the first rejection. */
  lastRejected = 0;
  private size = Infinity;
  private ceiling = Infinity;
  private ceilingUntilMs = 0;
  private largestAccepted = 0;
  // A size that was rejected once although half of it was accepted. After the second rejection it becomes the limit.
  private suspect = 0;

  /** @param shown also counts these rejections; the limit that the pool of nodes reads */
  constructor(
    private readonly clock: { now(): number } = Date,
    private readonly shown?: RangeLimit,
  ) {}

  /** Maximum size of the next request. */
  get atMost(): number {
    return this.size;
  }

  get state(): RangeState {
    return { atMost: Number.isFinite(this.size) ? this.size : null, rejections: this.rejections };
  }

  accepted(count: number): void {
    this.largestAccepted = Math.max(this.largestAccepted, count);
    if (count < this.size) return;
    if (this.clock.now() >= this.ceilingUntilMs) this.ceiling = Infinity;
    if (this.size * 2 < this.ceiling) this.size *= 2;
  }

  /** @param isCertain the node reported that the range is too large, so this size is not tried again for a while */
  rejected(count: number, isCertain = false): void {
    for (const counter of [this, this.shown]) {
      if (!counter) continue;
      counter.rejections += 1;
      counter.lastRejected = count;
    }
    const isBesideSuccess = this.largestAccepted * 2 >= count;
    if (isCertain || (isBesideSuccess && count <= this.suspect)) {
      this.ceiling = count;
      this.ceilingUntilMs = this.clock.now() + rememberMs;
    }
    this.suspect = isBesideSuccess ? count : 0;
    this.largestAccepted = 0;
    this.size = Math.max(1, Math.floor(Math.min(this.size, count) / 2));
  }
}

/**
 * Reads one part of a range, up to the node's limit. Every failure counts as a rejection except an oversized reply.
 * Third parties can cause oversized replies, and the caller then requests less.
 */
export async function readPart<T>(
  ranges: RangeLimit,
  wanted: number,
  read: (count: number) => Promise<T>,
): Promise<T> {
  const count = Math.min(wanted, ranges.atMost);
  try {
    const part = await read(count);
    ranges.accepted(count);
    return part;
  } catch (error) {
    if (error instanceof ProviderError && !(error instanceof OversizedReply)) ranges.rejected(count);
    throw error;
  }
}
