import { DomainError } from '@tollbridge/bus';

/** Who sends a body: an anonymous client is known by its address, any other by its principal. */
export interface BodySender {
  name: string;
  isAnonymous: boolean;
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
   * @returns how to give it back; further calls do nothing
   * @throws DomainError RATE_LIMIT_EXCEEDED when the sender has used its share, SERVICE_UNAVAILABLE when nothing is left
   */
  take(sender: BodySender, amount: number): () => void {
    const { name, isAnonymous } = sender;
    const own = this.takenBySender.get(name) ?? 0;
    if (own + amount > this.most * (isAnonymous ? anonymousShare : share)) throw shareUsed();
    const isFull = this.taken + amount > this.most;
    if (isFull || (isAnonymous && this.takenByAnonymous + amount > this.most * anonymousPart)) throw full();
    this.add(sender, amount);
    let isGivenBack = false;
    return () => {
      if (!isGivenBack) this.add(sender, -amount);
      isGivenBack = true;
    };
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
  const sentence = 'Too many request bodies of yours are being read; wait until some are answered.';
  return new DomainError('RATE_LIMIT_EXCEEDED', sentence, { details: { reason: 'bodies_of_caller' } });
}

function full(): DomainError {
  return new DomainError('SERVICE_UNAVAILABLE', 'Too many request bodies are being read; try again shortly.');
}
