import { Injectable } from '@nestjs/common';
import { Database, transaction } from '@tollbridge/database';
import type { Pool } from 'pg';
import { LessThan, type FindOptionsWhere, type Repository } from 'typeorm';
import type { Card, IssuerName } from './card';
import type { IssuedCard } from './card-issuer';
import { CardRow } from './cards.entity';

export interface Reveal {
  cardId: string;
  wallet: string;
  keyId: string | null;
  requestId: string;
}

@Injectable()
export class CardsRepository {
  private readonly pool: Pool;
  private readonly rows: Repository<CardRow>;

  constructor({ pool, dataSource }: Database) {
    this.pool = pool;
    this.rows = dataSource.getRepository(CardRow);
  }

  /**
   * Assigns an issuer's card to its purchase. Returns the card that the purchase now has, which may be an earlier one.
   * Returns undefined when the card belongs to another purchase.
   */
  async add(card: Card): Promise<Card | undefined> {
    const createdAt = new Date(card.createdAtMs);
    const row: CardRow = {
      id: card.id,
      wallet: card.wallet,
      issuer: card.issuer,
      issuer_card_id: card.issuerCardId,
      amount_cents: card.amountCents,
      state: card.state,
      last_four: card.lastFour,
      created_at: createdAt,
      updated_at: createdAt,
    };
    await this.rows.createQueryBuilder().insert().values(row).orIgnore().updateEntity(false).execute();
    return this.find(card.id);
  }

  async find(id: string): Promise<Card | undefined> {
    return this.findOneBy({ id });
  }

  async findIssued(issuer: IssuerName, issuerCardId: string): Promise<Card | undefined> {
    return this.findOneBy({ issuer, issuer_card_id: issuerCardId });
  }

  /** Returns undefined for an unknown card and for a card of another wallet. */
  async findOf(wallet: string, id: string): Promise<Card | undefined> {
    return this.findOneBy({ id, wallet });
  }

  private async findOneBy(where: FindOptionsWhere<CardRow>): Promise<Card | undefined> {
    const row = await this.rows.findOneBy(where);
    return row ? fromRow(row) : undefined;
  }

  /** Returns the cards before the cursor, newest first. Ids are ordered by time. */
  async list(wallet: string, limit: number, cursor: string | undefined): Promise<Card[]> {
    const rows = await this.rows.find({
      where: { wallet, ...(cursor !== undefined && { id: LessThan(cursor) }) },
      order: { id: 'DESC' },
      take: limit,
    });
    return rows.map(fromRow);
  }

  /** Stores the state that the issuer reports now. */
  async update(card: Card, { state, lastFour }: IssuedCard, nowMs: number): Promise<Card> {
    const known = { ...card, state, lastFour: lastFour ?? card.lastFour };
    if (known.state === card.state && known.lastFour === card.lastFour) return card;
    await this.rows.update(card.id, {
      state: known.state,
      last_four: known.lastFour,
      updated_at: new Date(nowMs),
    });
    return known;
  }

  /**
   * Records a reveal before the number is shown. Returns false when the card was revealed `atMost` times since
   * `sinceMs`. SQL: the row lock serializes concurrent reveals, so that the limit holds.
   */
  async addReveal(
    { cardId, wallet, keyId, requestId }: Reveal,
    { nowMs, sinceMs, atMost }: { nowMs: number; sinceMs: number; atMost: number },
  ): Promise<boolean> {
    return transaction(this.pool, async (client) => {
      await client.query('SELECT id FROM cards WHERE id = $1 FOR UPDATE', [cardId]);
      const { rowCount } = await client.query({
        name: 'card-reveal-add',
        text: `INSERT INTO card_reveals (card_id, wallet, key_id, request_id, shown_at)
               SELECT $1, $2, $3, $4, $5
               WHERE (SELECT count(*) FROM card_reveals WHERE card_id = $1 AND shown_at > $6) < $7`,
        values: [cardId, wallet, keyId, requestId, new Date(nowMs), new Date(sinceMs), atMost],
      });
      return rowCount === 1;
    });
  }
}

function fromRow(row: CardRow): Card {
  return {
    id: row.id,
    wallet: row.wallet,
    issuer: row.issuer,
    issuerCardId: row.issuer_card_id,
    amountCents: row.amount_cents,
    state: row.state,
    lastFour: row.last_four,
    createdAtMs: row.created_at.getTime(),
  };
}
