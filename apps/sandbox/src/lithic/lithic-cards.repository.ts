import type { Database } from '@tollbridge/database';
import { isDeepStrictEqual } from 'node:util';

export interface LithicCard {
  token: string;
  type: string;
  /** The last requested state. The card may not have reached it yet. */
  state: 'OPEN' | 'PAUSED' | 'CLOSED';
  memo: string;
  spendLimit: number;
  spendLimitDuration: string;
  createdAtMs: number;
}

interface Row {
  token: string;
  type: string;
  state: LithicCard['state'];
  memo: string;
  spend_limit: number;
  spend_limit_duration: string;
  body: object;
  created_at: Date;
}

export interface LithicPage {
  beginMs?: number;
  endMs?: number;
  memo?: string;
  startingAfter?: string;
  limit: number;
}

export class LithicCardsRepository {
  // Uses SQL over the pool, because tests of other apps start simulators with a pool but without entities.
  constructor(private readonly database: Pick<Database, 'pool'>) {}

  /** Adds a card. Returns the existing card of this idempotency key; undefined when that card had another body. */
  async add(card: LithicCard, idempotencyKey: string | null, body: object): Promise<LithicCard | undefined> {
    const { rows } = await this.database.pool.query<Row>(
      `INSERT INTO lithic_cards (token, type, state, memo, spend_limit, spend_limit_duration, idempotency_key, body, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
       ON CONFLICT (idempotency_key) DO UPDATE SET idempotency_key = excluded.idempotency_key RETURNING *`,
      [
        card.token,
        card.type,
        card.state,
        card.memo,
        card.spendLimit,
        card.spendLimitDuration,
        idempotencyKey,
        JSON.stringify(body),
        new Date(card.createdAtMs),
      ],
    );
    const row = rows[0]!;
    return isDeepStrictEqual(row.body, JSON.parse(JSON.stringify(body))) ? fromRow(row) : undefined;
  }

  async find(token: string): Promise<LithicCard | undefined> {
    const { rows } = await this.database.pool.query<Row>('SELECT * FROM lithic_cards WHERE token = $1', [
      token,
    ]);
    return rows.map(fromRow)[0];
  }

  async change({ token, state, memo, spendLimit, spendLimitDuration }: LithicCard): Promise<void> {
    await this.database.pool.query(
      'UPDATE lithic_cards SET state = $2, memo = $3, spend_limit = $4, spend_limit_duration = $5 WHERE token = $1',
      [token, state, memo, spendLimit, spendLimitDuration],
    );
  }

  /** Returns cards, newest first. If more exist, the result has one more than the limit. */
  async list({ beginMs, endMs, memo, startingAfter, limit }: LithicPage): Promise<LithicCard[]> {
    const { rows } = await this.database.pool.query<Row>(
      `SELECT c.* FROM lithic_cards c LEFT JOIN lithic_cards a ON a.token = $4
       WHERE ($1::timestamptz IS NULL OR c.created_at > $1) AND ($2::timestamptz IS NULL OR c.created_at < $2)
         AND ($3::text IS NULL OR position($3 IN c.memo) > 0)
         AND (a.token IS NULL OR (c.created_at, c.token) < (a.created_at, a.token))
       ORDER BY c.created_at DESC, c.token DESC LIMIT $5`,
      [
        ...[beginMs, endMs].map((ms) => (ms === undefined ? null : new Date(ms))),
        memo ?? null,
        startingAfter ?? null,
        limit + 1,
      ],
    );
    return rows.map(fromRow);
  }
}

function fromRow(row: Row): LithicCard {
  return {
    token: row.token,
    type: row.type,
    state: row.state,
    memo: row.memo,
    spendLimit: row.spend_limit,
    spendLimitDuration: row.spend_limit_duration,
    createdAtMs: row.created_at.getTime(),
  };
}
