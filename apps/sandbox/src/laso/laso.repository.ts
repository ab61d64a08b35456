import { transaction, type Database } from '@tollbridge/database';
import type { Payment } from './x402';

export interface LasoCard {
  cardId: string;
  userId: string;
  amountCents: number;
  createdAtMs: number;
}

interface Row {
  card_id: string;
  user_id: string;
  amount_cents: number;
  created_at: Date;
}

const maxListed = 500;

export class LasoRepository {
  // Uses SQL over the pool, because tests of other apps start simulators with a pool but without entities.
  constructor(private readonly database: Pick<Database, 'pool'>) {}

  /** Records a payment, with its card if given. Returns false for a payment that is already recorded. */
  async pay({ payer, nonce, amountAtomic }: Payment, nowMs: number, card?: LasoCard): Promise<boolean> {
    return transaction(this.database.pool, async (client) => {
      const { rowCount } = await client.query(
        `INSERT INTO laso_payments (payer, nonce, amount_atomic, created_at) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING`,
        [payer, nonce, String(amountAtomic), new Date(nowMs)],
      );
      if (rowCount === 0) return false;
      if (card)
        await client.query(
          'INSERT INTO laso_cards (card_id, user_id, amount_cents, created_at) VALUES ($1, $2, $3, $4)',
          [card.cardId, card.userId, card.amountCents, new Date(card.createdAtMs)],
        );
      return true;
    });
  }

  async find(userId: string, cardId: string): Promise<LasoCard | undefined> {
    const { rows } = await this.database.pool.query<Row>(
      'SELECT * FROM laso_cards WHERE card_id = $1 AND user_id = $2',
      [cardId, userId],
    );
    return rows.map(fromRow)[0];
  }

  /** Returns cards, newest first. */
  async list(userId: string): Promise<LasoCard[]> {
    const { rows } = await this.database.pool.query<Row>(
      'SELECT * FROM laso_cards WHERE user_id = $1 ORDER BY created_at DESC LIMIT $2',
      [userId, maxListed],
    );
    return rows.map(fromRow);
  }
}

const fromRow = ({ card_id, user_id, amount_cents, created_at }: Row): LasoCard => ({
  cardId: card_id,
  userId: user_id,
  amountCents: amount_cents,
  createdAtMs: created_at.getTime(),
});
