import { Injectable } from '@nestjs/common';
import { paylinkEvents, type PayLinkPaymentChanged } from '@tollbridge/contracts';
import { Database } from '@tollbridge/database';
import type { Pool } from 'pg';

export interface PastPayment {
  seq: string;
  isCounted: boolean;
  payment: PayLinkPaymentChanged;
}

const { 'paylink-payment-reorged': reorged } = paylinkEvents;
const subjects = Object.values(paylinkEvents).map(({ subject }) => subject);
const pageSize = 500;

/** Reads the published events of PayLink payments. Uses SQL because TypeORM cannot select a member of a JSON column. */
@Injectable()
export class PayLinkHistory {
  private readonly pool: Pool;

  constructor({ pool }: Database) {
    this.pool = pool;
  }

  /** All events of reported payments, oldest first. Payments by checkout are in the history of their orders. */
  async *pages(): AsyncGenerator<PastPayment[]> {
    for (let afterSeq = '0'; ;) {
      const { rows } = await this.pool.query<PastPayment>({
        name: 'paylink-history',
        text: `SELECT seq, subject <> $2 AS "isCounted", payload->'data' AS payment FROM outbox
               WHERE seq > $1 AND subject = ANY($3::text[]) AND payload->'data'->>'order_id' IS NULL ORDER BY seq LIMIT $4`,
        values: [afterSeq, reorged.subject, subjects, pageSize],
      });
      if (rows.length === 0) return;
      yield rows;
      afterSeq = rows.at(-1)!.seq;
    }
  }
}
