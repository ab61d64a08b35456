import { DomainError } from '@tollbridge/rpc';

/** The client that sends a body: anonymous clients are named by their address, all others by their merchant. */
export interface BodySender {
  name: string;
  isAnonymous: boolean;
}

/** An units that a request has reserved. */
export interface Reservation {
  /** Releases the rest of the units; further calls do nothing. */
  release(): void;
  /** Releases everything above the units. */
  shrinkTo(units: number): void;
}

// Parts of the capacity. Anonymous clients together leave half to those with a key or a wallet.
const anonymousPart = 1 / 2;
const anonymousShare = 1 / 4;
const share = 1 / 2;

/**
 * A bounded units (of bytes, of requests) that requests reserve before their body is read. One sender gets a share of
 * it, an anonymous one a smaller share.
 */
export class CapacityPool {
  private reserved = 0;
  private reservedByAnonymous = 0;
  private readonly reservedBySender = new Map<string, number>();

  constructor(private readonly capacity: number) {}

  get used(): number {
    return this.reserved;
  }

  /**
   * @throws DomainError RATE_LIMIT_EXCEEDED when the sender has used its share, SERVICE_UNAVAILABLE when nothing is
   * left
   */
  reserve(sender: BodySender, units: number): Reservation {
    const { name, isAnonymous } = sender;
    const own = this.reservedBySender.get(name) ?? 0;
    if (own + units > this.capacity * (isAnonymous ? anonymousShare : share)) throw shareUsed();
    const isFull = this.reserved + units > this.capacity;
    const isAnonymousFull = this.reservedByAnonymous + units > this.capacity * anonymousPart;
    if (isFull || (isAnonymous && isAnonymousFull)) throw full();
    this.add(sender, units);
    let held = units;
    const shrinkTo = (wanted: number): void => {
      if (wanted >= held) return;
      this.add(sender, wanted - held);
      held = wanted;
    };
    return { release: () => shrinkTo(0), shrinkTo };
  }

  private add({ name, isAnonymous }: BodySender, units: number): void {
    this.reserved += units;
    if (isAnonymous) this.reservedByAnonymous += units;
    const own = (this.reservedBySender.get(name) ?? 0) + units;
    if (own > 0) this.reservedBySender.set(name, own);
    else this.reservedBySender.delete(name);
  }
}

function shareUsed(): DomainError {
  const message = 'Too many of your requests with a body are open at once. Wait until some are answered.';
  return new DomainError('RATE_LIMIT_EXCEEDED', message, { details: { reason: 'bodies_of_caller' } });
}

function full(): DomainError {
  return new DomainError(
    'SERVICE_UNAVAILABLE',
    'The gateway has no capacity for another request body. Retry after retryAfter seconds.',
  );
}
