import { Inject, Injectable } from '@nestjs/common';
import { DomainError } from '@tollbridge/rpc';
import { Clock } from '@tollbridge/database';
import { ProviderError } from '@tollbridge/http';
import type { FoundBefore, PurchaseKind } from '../purchases/purchase-kind';
import type { Progress } from '../purchases/purchase';
import { isIssued, type Card, type IssuerName } from './card';
import { CardIssuers, type CardIssuer, type ConfiguredIssuers, type IssuedCard } from './card-issuer';
import { CardsRepository } from './cards.repository';

/** What a card is bought on; a type, since it is stored as it is. */
export type CardTerms = { wallet: string; issuer: IssuerName; amountCents: number };

// Of all issuers: the longest.
const settleMs = 180_000;

/** A card is bought once, and belongs to the purchase that it came of: it has its id. */
@Injectable()
export class CardPurchases implements PurchaseKind<CardTerms> {
  readonly kind = 'card';
  readonly spend = 'topup';
  readonly settleMs = settleMs;

  constructor(
    @Inject(CardIssuers) private readonly issuers: ConfiguredIssuers,
    private readonly cards: CardsRepository,
    @Inject(Clock) private readonly clock: Clock,
  ) {}

  async buy(terms: CardTerms, reference: string): Promise<Progress> {
    const { amountCents, issuer } = terms;
    const issued = await this.issuerOf(issuer).issue({ amountCents, reference });
    const card = await this.give(terms, reference, issued);
    if (card) return progressOf(card);
    // It was looked for at the same time, and given to another purchase of this amount; this one is looked for now.
    const message = 'issued a card that another purchase was given';
    throw new ProviderError(issuer, { kind: 'unknownOutcome', message });
  }

  async find(reference: string, terms: CardTerms, known: FoundBefore): Promise<Progress | undefined> {
    const issuer = this.issuerOf(terms.issuer);
    const card = await this.cards.find(reference);
    if (card) return progressOf(await this.look(issuer, card));
    const { amountCents } = terms;
    const found = await issuer.candidates({ amountCents, reference }, known.askedAtMs);
    for (const candidate of found) {
      const given = await this.give(terms, reference, candidate);
      // A list may leave out what stands with the card itself.
      if (given) return progressOf(given.lastFour === null ? await this.look(issuer, given) : given);
    }
    return undefined;
  }

  /** Reads a card of ours anew, when its issuer is said to have changed it. */
  async refresh(issuer: IssuerName, issuerCardId: string): Promise<void> {
    const card = await this.cards.findIssued(issuer, issuerCardId);
    if (card) await this.look(this.issuerOf(issuer), card);
  }

  private async look(issuer: CardIssuer, card: Card): Promise<Card> {
    return this.cards.note(card, await issuer.read(card.issuerCardId), this.clock.now());
  }

  private give(terms: CardTerms, id: string, issued: IssuedCard): Promise<Card | undefined> {
    return this.cards.add({ id, ...terms, ...issued, createdAtMs: this.clock.now() });
  }

  private issuerOf(name: IssuerName): CardIssuer {
    const issuer = this.issuers.byName.get(name);
    if (!issuer)
      throw new DomainError(
        'SERVICE_UNAVAILABLE',
        'The issuer of this card is not configured in this deployment.',
      );
    return issuer;
  }
}

function progressOf({ issuerCardId, state, lastFour }: Card): Progress {
  // The issuer gave up on it, and the money back: nobody can have paid with a card that never had a number.
  const isNone = state === 'closed' && lastFour === null;
  return {
    status: isNone ? 'refunded' : isIssued(state) ? 'completed' : 'pending',
    providerId: issuerCardId,
    result: { state, lastFour },
  };
}
