import { Controller, Inject } from '@nestjs/common';
import {
  cardsApi,
  type CardData,
  type CardDataQuery,
  type CardRecord,
  type GetCardRequest,
  type MyCardsQuery,
  type MyCardsReply,
  type NewCard,
} from '@tollbridge/contracts';
import {
  type CallContext,
  DomainError,
  type FieldError,
  Handles,
  isUuid,
  keyIdOf,
  LiveFields,
  merchantOf,
  readPage,
  Validates,
} from '@tollbridge/rpc';
import { Clock } from '@tollbridge/database';
import type { Logger } from '@tollbridge/observability';
import { ServiceConfig, ServiceLogger } from '@tollbridge/bootstrap';
import { canonicalWallet } from '@tollbridge/wallet-proof';
import type { ServiceApiConfig } from '../config';
import { Purchases } from '../purchases/purchases';
import { centsOf, dataOf, dollarsOf, isIssued, recordOf, type Card, type CardNumbers } from './card';
import { CardIssuers, type CardIssuer, type ConfiguredIssuers } from './card-issuer';
import { CardPurchases, type CardTerms } from './card-purchases';
import { CardsRepository } from './cards.repository';
import { readFailure } from './issuer-failures';

// A card record is smaller than half a kilobyte, so a full page fits into a reply.
const maxLimit = 1_000;
// Enough for a user. It limits how many numbers a stolen key can read.
const revealsPerMinute = 10;
const minuteMs = 60_000;

@Controller()
@Handles(cardsApi)
export class CardsHandlers {
  constructor(
    private readonly purchases: Purchases,
    private readonly kind: CardPurchases,
    private readonly cards: CardsRepository,
    @Inject(CardIssuers) private readonly issuers: ConfiguredIssuers,
    @Inject(Clock) private readonly clock: Clock,
    @Inject(ServiceConfig) private readonly config: ServiceApiConfig,
    @Inject(ServiceLogger) private readonly logger: Logger,
  ) {}

  @Validates(cardsApi.operations.getCard)
  validateGetCard({ wallet }: Partial<GetCardRequest>): FieldError[] {
    return this.validate(wallet);
  }

  async getCard({ wallet, amount }: GetCardRequest, context: CallContext): Promise<CardRecord> {
    const own = this.ownWallet(wallet, context);
    const { chosen } = this.issuers;
    if (!chosen)
      throw new DomainError('SERVICE_UNAVAILABLE', 'Virtual cards are not configured in this deployment.');
    const terms: CardTerms = { wallet: own, issuer: chosen.name, amountCents: centsOf(amount) };
    const valueUsd = dollarsOf(terms.amountCents);
    const description = `Virtual card of ${valueUsd} USD`;
    const { id } = await this.purchases.buy(
      this.kind,
      { terms, provider: chosen.name, valueUsd, description },
      context,
    );
    return recordOf((await this.cards.find(id))!);
  }

  /** Number, security code and expiry of an issued card. A failure here must not look like a failed purchase. */
  @LiveFields(cardsApi.operations.getCard)
  async readLiveFieldsOfGetCard(
    { cardId, status }: NewCard,
    context: CallContext,
  ): Promise<Partial<NewCard>> {
    if (!isIssued(status)) return {};
    try {
      const card = await this.cards.find(cardId);
      return (card && (await this.reveal(card, context)).numbers) ?? {};
    } catch (err) {
      const fields = { cardId, requestId: context.requestId, err };
      this.logger.warn(fields, 'card numbers not read, answered the card without them');
      return {};
    }
  }

  async cardData({ card_id: id }: CardDataQuery, context: CallContext): Promise<CardData> {
    // The same error for a card of another wallet and for an unknown card.
    const card = isUuid(id) ? await this.cards.findOf(merchantOf(context), id) : undefined;
    if (!card)
      throw new DomainError('NOT_FOUND', 'The card does not exist. GET /card/my-cards lists the ids.');
    const { known, numbers } = await this.reveal(card, context);
    return dataOf(known, numbers);
  }

  /** Reads a card from its issuer for one reply. Each reveal is recorded before the reply. */
  private async reveal(
    card: Card,
    context: CallContext,
  ): Promise<{ known: Card; numbers: CardNumbers | null }> {
    const { card: issued, numbers } = await this.issuerOf(card)
      .reveal(card.issuerCardId)
      .catch((error: unknown) => {
        throw readFailure(error);
      });
    const nowMs = this.clock.now();
    const known = await this.cards.update(card, issued, nowMs);
    if (numbers === null) return { known, numbers };
    const { id: cardId, wallet } = card;
    const reveal = { cardId, wallet, keyId: keyIdOf(context) ?? null, requestId: context.requestId };
    const bound = { nowMs, sinceMs: nowMs - minuteMs, atMost: revealsPerMinute };
    if (!(await this.cards.addReveal(reveal, bound)))
      throw new DomainError(
        'RATE_LIMIT_EXCEEDED',
        `Card numbers are shown at most ${revealsPerMinute} times a minute. Retry after retryAfter seconds.`,
        { retryAfterSeconds: minuteMs / 1_000 },
      );
    return { known, numbers };
  }

  @Validates(cardsApi.operations.myCards)
  validateMyCards({ wallet }: Partial<MyCardsQuery>): FieldError[] {
    return this.validate(wallet);
  }

  async myCards(query: MyCardsQuery, context: CallContext): Promise<MyCardsReply> {
    const wallet = this.ownWallet(query.wallet, context);
    const { page, limit, next } = await readPage(
      query.limit!,
      (most) => this.cards.list(wallet, most, query.cursor),
      ({ id }) => id,
      maxLimit,
    );
    return { cards: page.map(recordOf), limit, next_cursor: next, nextCursor: next };
  }

  private validate(wallet: string | undefined): FieldError[] {
    if (wallet === undefined || canonicalWallet(wallet, this.config.environment) !== null) return [];
    return [{ field: 'wallet', message: 'must be the whole address of a wallet, with a valid checksum' }];
  }

  private ownWallet(text: string, context: CallContext): string {
    const own = merchantOf(context);
    if (canonicalWallet(text, this.config.environment) === own) return own;
    throw new DomainError(
      'FORBIDDEN',
      'The API key belongs to another wallet. Pass the wallet that owns the key.',
    );
  }

  private issuerOf({ issuer }: Card): CardIssuer {
    const found = this.issuers.byName.get(issuer);
    if (!found)
      throw new DomainError(
        'SERVICE_UNAVAILABLE',
        'The issuer of this card is not configured in this deployment.',
      );
    return found;
  }
}
