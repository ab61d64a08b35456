import { feature, operation } from '@tollbridge/rpc';
import { AmountNumber, Figure, ListOf, OneOf, Text, Timestamp } from '../decorators';
import { CamelNextCursor, Cursor, Limit, NextCursor, UsedLimit } from '../list-fields';
import { idExample } from '../shared-fields';
import { walletExample } from '../pay-orders/fields';

/**
 * - `pending`: the issuer is creating the card, which has no number yet
 * - `open`: the card accepts payments
 * - `paused`: the card declines payments until the issuer reopens it
 * - `closed`: the card is closed permanently
 */
export const cardStates = ['pending', 'open', 'paused', 'closed'] as const;
export type CardState = (typeof cardStates)[number];

/** Card amounts in dollars that every issuer accepts. */
export const cardBounds = { minUsd: 5, maxUsd: 1_000 } as const;

const cardId = { description: 'Id of the card', maxLength: 64, example: idExample };
const wallet = {
  description: 'The wallet of the API key',
  maxLength: 128,
  // TON addresses may contain `+`.
  hasNoSpaces: true,
  example: walletExample,
};

export class GetCardRequest {
  @Text(wallet) wallet: string;
  @AmountNumber('US dollars that the card can spend in total; it cannot be reloaded', {
    min: cardBounds.minUsd,
    max: cardBounds.maxUsd,
    maxDecimals: 2,
    example: 25,
  })
  amount: number;
}

export class CardDataQuery {
  @Text('`cardId` of the card', cardId) card_id: string;
}

export class MyCardsQuery {
  @Text(wallet) wallet: string;
  @Limit(1_000, 1_000) limit?: number;
  @Cursor({ pattern: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, example: idExample })
  cursor?: string;
}

export class CardRecord {
  @Text({ ...cardId, format: 'uuid' }) cardId: string;
  @Text('Id of the card at the issuer; no call needs it', { example: '7ef7d65c-9023-4da3-b113-3b8583fd7951' })
  issuerCardId: string;
  @Text('Wallet that owns the card', wallet) wallet: string;
  @Figure('US dollars that the card was issued with', { example: 25 }) amount: number;
  @OneOf(['USD'], 'Currency of the card') currency: 'USD';
  @OneOf(
    cardStates,
    '`pending`: being created, without a number yet. `open`: payments work. `paused`: the card declines for now. `closed`: the card no longer works',
    { example: 'open' },
  )
  status: CardState;
  @Text('Last four digits of the number; null while the card is pending', {
    nullable: true,
    pattern: /^[0-9]{4}$/,
    example: '4242',
  })
  lastFour: string | null;
  @Timestamp('Issue time', { example: '2026-11-22T12:00:00.000Z' }) createdAt: string;
}

const number = {
  description: 'Full card number. It is stored nowhere: show it, and discard it',
  isSecret: true,
  pattern: /^[0-9]{12,19}$/,
  example: '4242424242424242',
};
const cvv = {
  description: 'Security code of the card',
  isSecret: true,
  pattern: /^[0-9]{3,4}$/,
  example: '123',
};
const expMonth = { description: 'Expiry month, two digits', pattern: /^(0[1-9]|1[0-2])$/, example: '12' };
const expYear = { description: 'Expiry year, four digits', pattern: /^20[0-9]{2}$/, example: '2031' };
const whilePending = { nullable: true } as const;
const onceOpen = { optional: true } as const;

export class CardData extends CardRecord {
  @Text(`${number.description}. Null while the card is pending`, { ...number, ...whilePending })
  number: string | null;
  @Text(`${cvv.description}; null while the card is pending`, { ...cvv, ...whilePending }) cvv: string | null;
  @Text(`${expMonth.description}; null while the card is pending`, { ...expMonth, ...whilePending })
  expMonth: string | null;
  @Text(`${expYear.description}; null while the card is pending`, { ...expYear, ...whilePending })
  expYear: string | null;
}

/** Card record of a purchase, with number, security code and expiry after the issuer has opened the card. */
export class NewCard extends CardRecord {
  @Text(`${number.description}. Absent while the card is pending`, { ...number, ...onceOpen })
  number?: string;
  @Text(`${cvv.description}; absent while the card is pending`, { ...cvv, ...onceOpen }) cvv?: string;
  @Text(`${expMonth.description}; absent while the card is pending`, { ...expMonth, ...onceOpen })
  expMonth?: string;
  @Text(`${expYear.description}; absent while the card is pending`, { ...expYear, ...onceOpen })
  expYear?: string;
}

export class MyCardsReply {
  @ListOf(() => CardRecord, 'Newest first; without numbers', { maxItems: 1_000 }) cards: CardRecord[];
  @UsedLimit(1_000) limit: number;
  @NextCursor() next_cursor: string | null;
  @CamelNextCursor() nextCursor: string | null;
}

export const cardsApi = feature('service-api', 'cards', 'Virtual cards', {
  getCard: operation('POST /card/get-card', {
    operationId: 'buyCard',
    summary: 'Issue a virtual card',
    description:
      'A new card that can spend `amount` in total. With `status: open` the reply contains number, security code and expiry; the service reads them from the issuer for this reply only and stores them nowhere. An issuer may need some seconds: the reply is then `pending` without them, and `GET /card/card-data` shows them later, as it does when the issuer fails during this call. Send an `Idempotency-Key`: the service issues one card for it. A replay returns the stored record of the first reply with the number read from the issuer again, at most 10 times a minute for each card.',
    input: GetCardRequest,
    output: NewCard,
    errors: [
      'FORBIDDEN',
      'BUDGET_EXCEEDED',
      'MAX_PER_TX_EXCEEDED',
      'PURCHASE_REFUSED',
      'UPSTREAM_UNAVAILABLE',
    ],
    auth: { key: 'secret', permission: 'write' },
    // Longer than the issuer's time-out.
    timeoutMs: 90_000,
  }),
  cardData: operation('GET /card/card-data', {
    operationId: 'revealCard',
    summary: 'Show the number of a card',
    description:
      'Number, security code and expiry, read from the issuer for this reply only. They are stored nowhere, and each read is recorded. At most 10 times a minute for each card.',
    input: CardDataQuery,
    output: CardData,
    errors: ['NOT_FOUND', 'UPSTREAM_UNAVAILABLE'],
    auth: { key: 'secret', permission: 'read' },
    // Longer than the issuer's time-out.
    timeoutMs: 25_000,
  }),
  myCards: operation('GET /card/my-cards', {
    operationId: 'listCards',
    summary: 'List the cards of a wallet',
    description:
      'All cards of the wallet, at most 1,000: last four digits and state of each, never a full number.',
    input: MyCardsQuery,
    output: MyCardsReply,
    errors: ['FORBIDDEN'],
    auth: { key: 'secret', permission: 'read' },
  }),
});
