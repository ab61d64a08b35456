import { DomainError } from '@tollbridge/rpc';

export interface StreamBounds {
  /** The maximum number of streams in this process. */
  maxStreams: number;
  maxPerAddress: number;
}

// Streams end by themselves within minutes, and their clients then reconnect to other replicas.
const [retryWhenFullSeconds, retryOfAddressSeconds] = [5, 30];

/** Limits the open streams of the process, and of each client address. */
export class StreamSlots {
  private readonly perAddress = new Map<string, number>();
  private taken = 0;

  constructor(private readonly bounds: StreamBounds) {}

  get used(): number {
    return this.taken;
  }

  /** @throws DomainError SERVICE_UNAVAILABLE without a free slot, RATE_LIMIT_EXCEEDED above the limit of the address */
  take(address: string): void {
    const { maxStreams, maxPerAddress } = this.bounds;
    if (this.taken >= maxStreams)
      throw new DomainError('SERVICE_UNAVAILABLE', undefined, { retryAfterSeconds: retryWhenFullSeconds });
    const own = this.perAddress.get(address) ?? 0;
    if (own >= maxPerAddress)
      throw new DomainError(
        'RATE_LIMIT_EXCEEDED',
        `Your address has ${maxPerAddress} open streams, the maximum. Close one first.`,
        { retryAfterSeconds: retryOfAddressSeconds },
      );
    this.taken++;
    this.perAddress.set(address, own + 1);
  }

  release(address: string): void {
    this.taken--;
    const left = this.perAddress.get(address)! - 1;
    if (left > 0) this.perAddress.set(address, left);
    else this.perAddress.delete(address);
  }
}
