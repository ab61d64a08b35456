import { DomainError } from '@tollbridge/rpc';

/** The client that sends a body. The name is an anonymous client's address; for all other clients, their merchant. */
export interface BodySender {
  name: string;
  isAnonymous: boolean;
}

/** The units that a request has reserved. */
export interface Reservation {
  /** Releases the remaining units. Further calls do nothing. */
  release(): void;
  /** Releases all units above this number. */
  shrinkTo(units: number): void;
}

// Parts of the capacity. Anonymous clients together may use at most half, so the rest is left for clients with a key or
// a wallet.
const anonymousPart = 1 / 2;
const anonymousShare = 1 / 4;
const share = 1 / 2;

/**
 * A limited number of units (bytes or requests) that requests reserve before their body is read. One sender gets at
 * most a share, and an anonymous sender a smaller share.
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
   * @throws DomainError RATE_LIMIT_EXCEEDED when the sender has used its share, SERVICE_UNAVAILABLE when no units are
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
