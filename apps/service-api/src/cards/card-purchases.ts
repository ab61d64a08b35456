import { Inject, Injectable } from '@nestjs/common';
import { DomainError } from '@tollbridge/rpc';
import { Clock } from '@tollbridge/database';
import { ProviderError } from '@tollbridge/http';
import type { FoundBefore, PurchaseKind } from '../purchases/purchase-kind';
import type { Progress } from '../purchases/purchase';
import { isIssued, type Card, type IssuerName } from './card';
import { CardIssuers, type CardIssuer, type ConfiguredIssuers, type IssuedCard } from './card-issuer';
import { CardsRepository } from './cards.repository';

/** Stored terms of a card purchase. */
export type CardTerms = { wallet: string; issuer: IssuerName; amountCents: number };

// The longest `settleMs` of all issuers.
const settleMs = 180_000;

/** Buys cards. A card is stored under the id of its purchase. */
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
    const card = await this.assign(terms, reference, issued);
    if (card) return progressOf(card);
    // A concurrent lookup assigned this card to another purchase of the same amount. The next lookup of this purchase
    // may find another card.
    const message = 'issued a card that was assigned to another purchase';
    throw new ProviderError(issuer, { kind: 'unknownOutcome', message });
  }

  async find(reference: string, terms: CardTerms, known: FoundBefore): Promise<Progress | undefined> {
    const issuer = this.issuerOf(terms.issuer);
    const card = await this.cards.find(reference);
    if (card) return progressOf(await this.refreshCard(issuer, card));
    const { amountCents } = terms;
    const found = await issuer.candidates({ amountCents, reference }, known.askedAtMs);
    for (const candidate of found) {
      const assigned = await this.assign(terms, reference, candidate);
      // A listed card may lack its last four digits.
      if (assigned)
        return progressOf(assigned.lastFour === null ? await this.refreshCard(issuer, assigned) : assigned);
    }
    return undefined;
  }

  /** Reads a card again after a webhook reported a change. */
  async refresh(issuer: IssuerName, issuerCardId: string): Promise<void> {
    const card = await this.cards.findIssued(issuer, issuerCardId);
    if (card) await this.refreshCard(this.issuerOf(issuer), card);
  }

  private async refreshCard(issuer: CardIssuer, card: Card): Promise<Card> {
    return this.cards.update(card, await issuer.read(card.issuerCardId), this.clock.now());
  }

  private assign(terms: CardTerms, id: string, issued: IssuedCard): Promise<Card | undefined> {
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
  // A card that is closed without a number was never used: the issuer has refunded its price.
  const isRefunded = state === 'closed' && lastFour === null;
  return {
    status: isRefunded ? 'refunded' : isIssued(state) ? 'completed' : 'pending',
    providerId: issuerCardId,
    result: { state, lastFour },
  };
}
