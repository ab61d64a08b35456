import { DomainError } from '@tollbridge/rpc';

/** The client that sends a body: an anonymous one is named by its address, any other by its merchant. */
export interface BodySender {
  name: string;
  isAnonymous: boolean;
}

/** An amount that a request has taken. */
export interface RoomTaken {
  /** Gives back all that is left of it; further calls do nothing. */
  giveBack(): void;
  /** Gives back what is above the amount. */
  shrinkTo(amount: number): void;
}

// Of the whole. Anonymous clients together leave half to those with a key or a wallet.
const anonymousPart = 1 / 2;
const anonymousShare = 1 / 4;
const share = 1 / 2;

/**
 * A bounded amount (of bytes, of places) that requests take before their body is read. One sender gets a share of it, an
 * anonymous one a smaller share.
 */
export class BodyRoom {
  private taken = 0;
  private takenByAnonymous = 0;
  private readonly takenBySender = new Map<string, number>();

  constructor(private readonly most: number) {}

  get used(): number {
    return this.taken;
  }

  /**
   * @throws DomainError RATE_LIMIT_EXCEEDED when the sender has used its share, SERVICE_UNAVAILABLE when nothing is left
   */
  take(sender: BodySender, amount: number): RoomTaken {
    const { name, isAnonymous } = sender;
    const own = this.takenBySender.get(name) ?? 0;
    if (own + amount > this.most * (isAnonymous ? anonymousShare : share)) throw shareUsed();
    const isFull = this.taken + amount > this.most;
    if (isFull || (isAnonymous && this.takenByAnonymous + amount > this.most * anonymousPart)) throw full();
    this.add(sender, amount);
    let held = amount;
    const shrinkTo = (wanted: number): void => {
      if (wanted >= held) return;
      this.add(sender, wanted - held);
      held = wanted;
    };
    return { giveBack: () => shrinkTo(0), shrinkTo };
  }

  private add({ name, isAnonymous }: BodySender, amount: number): void {
    this.taken += amount;
    if (isAnonymous) this.takenByAnonymous += amount;
    const own = (this.takenBySender.get(name) ?? 0) + amount;
    if (own > 0) this.takenBySender.set(name, own);
    else this.takenBySender.delete(name);
  }
}

function shareUsed(): DomainError {
  const sentence = 'Too many of your requests with a body are open at once; wait until some are answered.';
  return new DomainError('RATE_LIMIT_EXCEEDED', sentence, { details: { reason: 'bodies_of_caller' } });
}

function full(): DomainError {
  return new DomainError(
    'SERVICE_UNAVAILABLE',
    'The gateway has no room for another request body; retry after retryAfter seconds.',
  );
}
