import { Inject, Injectable } from '@nestjs/common';
import { Clock, Database, transaction, type TransactionClient } from '@tollbridge/database';
import type { Pool } from 'pg';
import { lockRefundAddress } from './refund-addresses.repository';
import { transitionRefund } from './refund-transitions.repository';

/** A refund that waits for an operator. */
export interface ManualRefund {
  id: string;
  orderId: string;
  chain: string;
  token: string;
  amount: string;
  address: string;
  isReadable: boolean;
  reason: string;
  createdAt: Date;
}

// After this time, a transfer that an operator sent is final, so the balance excludes it.
const finalAfterMs = 30 * 60_000;

/** Reads refunds that wait for an operator, and stores the decision. Uses SQL for joins and conditional writes. */
@Injectable()
export class ManualRefundsRepository {
  private readonly pool: Pool;

  constructor(
    { pool }: Database,
    @Inject(Clock) private readonly clock: Clock,
  ) {
    this.pool = pool;
  }

  /** Refunds that wait for an operator, oldest first, or only the refund with this id. */
  async manual(limit: number, id: string | null = null): Promise<ManualRefund[]> {
    const { rows } = await this.pool.query<ManualRefund>({
      name: 'refunds-manual',
      text: `SELECT r.id, r.order_id AS "orderId", o.pay_chain AS chain, o.pay_token AS token, r.amount::text AS amount,
               a.address, a.address_index IS NOT NULL AS "isReadable", coalesce(r.reason, '') AS reason,
               r.created_at AS "createdAt"
             FROM refunds r JOIN orders o ON o.id = r.order_id JOIN refund_addresses a ON a.order_id = r.order_id
             WHERE r.state = 'manual' AND ($2::uuid IS NULL OR r.id = $2) ORDER BY r.created_at LIMIT $1`,
      values: [limit, id],
    });
    return rows;
  }

  /**
   * Stores the recipient that an operator chose. @returns false when the refund does not wait for an operator any more
   */
  async resolve(
    id: string,
    recipient: string,
    operator: string,
    client: TransactionClient | Pool = this.pool,
  ): Promise<boolean> {
    return transitionRefund(
      client,
      { id, event: 'resolved', at: this.now() },
      {
        set: 'recipient = $3, resolved_by = $4, resolved_at = $2, reason = NULL, check_at = $2',
        values: [recipient, operator],
      },
    );
  }

  /**
   * Records that an operator settled it by other means. @returns false when the refund does not wait for an operator
   * any more
   */
  async close(
    refund: Pick<ManualRefund, 'id' | 'orderId'>,
    note: string,
    operator: string,
  ): Promise<boolean> {
    return transaction(this.pool, (client) => this.closeIn(client, refund, note, operator));
  }

  /** Closes the refund in the caller's transaction. */
  async closeIn(
    client: TransactionClient,
    { id, orderId }: Pick<ManualRefund, 'id' | 'orderId'>,
    note: string,
    operator: string,
  ): Promise<boolean> {
    await lockRefundAddress(client, orderId);
    const isClosed = await transitionRefund(
      client,
      { id, event: 'settledByHand', at: this.now() },
      {
        set: "reason = coalesce(reason, '') || '; ' || $3, resolved_by = $4, resolved_at = $2",
        values: [note, operator],
      },
    );
    // An amount that remains at the address becomes a separate refund.
    if (isClosed)
      await client.query({
        name: 'refund-address-closed',
        text: `UPDATE refund_addresses SET since = $2, check_at = $3
               WHERE order_id = $1 AND address_index IS NOT NULL`,
        values: [orderId, this.now(), new Date(this.clock.now() + finalAfterMs)],
      });
    return isClosed;
  }

  private now(): Date {
    return new Date(this.clock.now());
  }
}
