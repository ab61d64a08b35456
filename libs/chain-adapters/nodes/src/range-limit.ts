import { OversizedReply, ProviderError } from '@tollbridge/http';

// A limit that was learnt may have been a moment of load, so a larger range is tried again after this time.
const rememberMs = 600_000;

/** What a node takes of a range (blocks, or items of a page) in one request. */
export interface RangeState {
  /** Null while the node has rejected nothing. */
  atMost: number | null;
  rejections: number;
}

/**
 * Learns from rejections, in any wording, how large a range one node takes. Each rejection halves the size, each
 * success doubles it. A size that was rejected twice although half of it was accepted becomes the limit.
 */
export class RangeLimit {
  rejections = 0;
  /** How much the newest rejection was about; 0 before the first. */
  lastRejected = 0;
  private size = Infinity;
  private ceiling = Infinity;
  private ceilingUntilMs = 0;
  private largestAccepted = 0;
  // Rejected once although half of it was accepted: the second time it is the limit, and no accident.
  private suspect = 0;

  /** @param shown counts these rejections too: the limit that the pool of nodes looks at */
  constructor(
    private readonly clock: { now(): number } = Date,
    private readonly shown?: RangeLimit,
  ) {}

  /** Ask for no more than this. */
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

  /** @param isCertain the node says that the range is too large, so the same size is not tried again for a while */
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
 * Reads one part of a range, of at most what the node takes. Every failure counts as a rejection, except an oversized
 * reply: strangers choose its length, and the caller asks for less.
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
