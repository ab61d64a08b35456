import { Injectable } from '@nestjs/common';
import type { ExceptionKind, ExceptionStatus, PaymentException } from '@tollbridge/contracts';
import { Database, transaction } from '@tollbridge/database';
import type { Pool, PoolClient } from 'pg';
import { exceptionView, type ExceptionRow } from './record-exception';

interface Filter {
  status: ExceptionStatus | undefined;
  kind: ExceptionKind | undefined;
  before: string | undefined;
}

/**
 * Lists and closes exceptions for merchants. Uses SQL because the list shares its row type with the writes of other
 * features.
 */
@Injectable()
export class ExceptionsRepository {
  private readonly pool: Pool;

  constructor({ pool }: Database) {
    this.pool = pool;
  }

  /** Exceptions of a wallet, newest first. Ids are in the order of creation. */
  async list(wallet: string, { status, kind, before }: Filter, limit: number): Promise<PaymentException[]> {
    const values: unknown[] = [wallet, limit];
    const where = (condition: string, value: unknown): string =>
      value === undefined ? '' : ` AND ${condition} $${values.push(value)}`;
    const { rows } = await this.pool.query<ExceptionRow>(
      `SELECT * FROM payment_exceptions WHERE wallet = $1${where('status =', status)}${where('kind =', kind)}${where('id <', before)}
       ORDER BY id DESC LIMIT $2`,
      values,
    );
    return rows.map(exceptionView);
  }

  /**
   * Closes an exception for its merchant.
   * @param also makes further writes in the same transaction; not called for an unknown id
   */
  async close(
    { id, wallet }: { id: string; wallet: string },
    nowMs: number,
    also: (client: PoolClient, exception: PaymentException) => Promise<void>,
  ): Promise<void> {
    await transaction(this.pool, async (client) => {
      const { rows } = await client.query<ExceptionRow>(
        `UPDATE payment_exceptions SET status = 'resolved', resolution = coalesce(resolution, 'merchant'),
           updated_at = CASE WHEN status = 'open' THEN greatest(created_at, $3) ELSE updated_at END
         WHERE id = $1 AND wallet = $2 RETURNING *`,
        [id, wallet, new Date(nowMs)],
      );
      const closed = rows.map(exceptionView)[0];
      if (closed) await also(client, closed);
    });
  }
}
