import { Injectable } from '@nestjs/common';
import { orderEvents, type OrderChanged, type OrderEventType } from '@tollbridge/contracts';
import { Database, prunedUntil } from '@tollbridge/database';
import type { Pool } from 'pg';

export interface PastEvent {
  seq: number;
  id: string;
  type: OrderEventType;
  /** Events from before a field existed do not contain it. */
  order: Partial<OrderChanged>;
}

const subjects = Object.values(orderEvents).map(({ subject }) => subject);

/**
 * Reads published events of orders from the outbox. Uses SQL because TypeORM cannot select a member of a JSON column.
 */
@Injectable()
export class OrderHistoryRepository {
  private readonly pool: Pool;

  constructor({ pool }: Database) {
    this.pool = pool;
  }

  /** Events may be missing until this time; undefined while all are stored. */
  prunedUntil(): Promise<Date | undefined> {
    return prunedUntil(this.pool, 'outbox');
  }

  async after(seq: number, limit: number): Promise<PastEvent[]> {
    const { rows } = await this.pool.query<Omit<PastEvent, 'seq'> & { seq: string }>({
      name: 'order-history',
      text: `SELECT seq, id, payload->>'type' AS type, payload->'data' AS "order" FROM outbox
             WHERE seq > $1 AND subject = ANY($3::text[]) ORDER BY seq LIMIT $2`,
      values: [seq, limit, subjects],
    });
    return rows.map((row) => ({ ...row, seq: Number(row.seq) }));
  }
}
