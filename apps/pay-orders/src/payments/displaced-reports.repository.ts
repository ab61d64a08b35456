import { Injectable } from '@nestjs/common';
import type { CallContext } from '@tollbridge/rpc';
import { Database, transaction, type TransactionClient } from '@tollbridge/database';
import type { Pool } from 'pg';
import { fromRow } from '../orders/storage/order-rows';
import type { OrderRow } from '../orders/storage/orders.entity';
import type { ReportedOrder } from './payment';
import { areAwaited, receiveTransfers, type TransferFacts } from './plain-transfers.repository';

const maxFollowedClaims = 5;

/**
 * Releases reported transactions that their orders do not wait for any more, so that other orders can claim them. Each
 * is still checked, because it may pay the merchant later. Transactions that paid money to an order stay claimed.
 */
export async function displaceReports(
  client: TransactionClient,
  orderIds: readonly string[],
  nowMs: number,
): Promise<void> {
  await client.query({
    name: 'reports-displace',
    text: `WITH released AS (
             DELETE FROM tx_claims c USING orders o
             WHERE c.order_id = ANY($1::uuid[]) AND o.id = c.order_id AND c.tx_hash IS DISTINCT FROM o.pay_tx
               AND NOT EXISTS (SELECT FROM settlement_claims s WHERE s.order_id = c.order_id AND s.tx_hash = c.tx_hash)
             RETURNING c.*
           )
           INSERT INTO displaced_reports (order_id, tx_hash, chain, displaced_at, check_at)
           SELECT order_id, tx_hash, chain, $2, $2 FROM released
           ON CONFLICT (order_id, tx_hash) DO UPDATE SET displaced_at = excluded.displaced_at, check_at = excluded.check_at`,
    values: [orderIds, new Date(nowMs)],
  });
}

/**
 * Adds a report of a transaction that another order has claimed, because the claim may be false. The number for each
 * order is limited, since any client may report.
 */
export async function followClaimed(
  client: TransactionClient,
  { orderId, chain, txHash }: { orderId: string; chain: string; txHash: string },
  nowMs: number,
): Promise<void> {
  await client.query({
    name: 'report-follow-claimed',
    text: `INSERT INTO displaced_reports (order_id, tx_hash, chain, displaced_at, check_at)
           SELECT $1::uuid, $2::text, $3::text, $4::timestamptz, $4::timestamptz
           WHERE (SELECT count(*) FROM displaced_reports WHERE order_id = $1::uuid) < $5
           ON CONFLICT DO NOTHING`,
    values: [orderId, txHash, chain, new Date(nowMs), maxFollowedClaims],
  });
}

/** Stores reports that their orders do not wait for any more. Uses SQL for leases, and for row locks of orders. */
@Injectable()
export class DisplacedReportsRepository {
  private readonly pool: Pool;

  constructor(database: Database) {
    this.pool = database.pool;
  }

  /**
   * Leases due reports, so that other replicas lease others. The next check follows after half of the report's age, but
   * after an hour at most and after `atLeastMs` at least.
   */
  async takeDue(chain: string, nowMs: number, limit: number, atLeastMs: number): Promise<ReportedOrder[]> {
    const { rows } = await this.pool.query<OrderRow & { tx_hash: string; displaced_at: Date }>({
      name: 'displaced-reports-due',
      text: `WITH due AS (
               SELECT order_id, tx_hash FROM displaced_reports WHERE chain = $1 AND check_at <= $2
               ORDER BY check_at LIMIT $3 FOR UPDATE SKIP LOCKED
             ), taken AS (
               UPDATE displaced_reports d SET check_at = $2::timestamptz
                 + greatest($4 * interval '1 millisecond', least(($2::timestamptz - d.displaced_at) / 2, interval '1 hour'))
               FROM due WHERE d.order_id = due.order_id AND d.tx_hash = due.tx_hash RETURNING d.*
             )
             SELECT o.*, t.tx_hash, t.displaced_at FROM taken t JOIN orders o ON o.id = t.order_id`,
      values: [chain, new Date(nowMs), limit, atLeastMs],
    });
    return rows.map((row) => ({
      ...fromRow(row),
      payTx: row.tx_hash,
      payTxSinceMs: row.displaced_at.getTime(),
    }));
  }

  /** When the next report is due; null without one. */
  async nextCheckMs(chain: string): Promise<number | null> {
    const { rows } = await this.pool.query<{ at: Date | null }>({
      name: 'displaced-reports-next',
      text: 'SELECT min(check_at) AS at FROM displaced_reports WHERE chain = $1',
      values: [chain],
    });
    return rows[0]!.at?.getTime() ?? null;
  }

  /**
   * Records the transfers of the transaction to the merchant. Keeps the report for a later check while its order is
   * settling. Also keeps it while another order of the merchant may claim the transaction or its transfers.
   * @returns whether the order changed
   */
  async take({ id, payTx }: ReportedOrder, facts: TransferFacts, context: CallContext): Promise<boolean> {
    return transaction(this.pool, async (client) => {
      const { rows } = await client.query<OrderRow>({
        name: 'displaced-report-lock',
        text: `SELECT * FROM orders o WHERE o.id = $1 AND o.status <> 'settling' AND NOT EXISTS (
                 SELECT FROM tx_claims c JOIN orders other ON other.id = c.order_id
                 WHERE c.chain = o.pay_chain AND c.tx_hash = $2 AND other.pay_tx = $2 AND other.method = 'Direct'
                   AND other.status = 'settling' AND other.paid_height IS NULL
                   AND other.merchant_address = o.merchant_address)
               FOR UPDATE OF o`,
        values: [id, payTx],
      });
      const order = rows[0];
      if (!order || (await areAwaited(client, order, facts))) return false;
      // Another replica may have handled the report.
      if (!(await drop(client, id, payTx))) return false;
      if (!(await receiveTransfers(client, order, payTx, facts, context))) return false;
      await client.query({
        name: 'displaced-report-claim',
        text: 'INSERT INTO tx_claims (chain, tx_hash, order_id) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
        values: [order.pay_chain, payTx, id],
      });
      return true;
    });
  }

  /** Deletes a report that pays nothing. */
  async drop({ id, payTx }: ReportedOrder): Promise<void> {
    await drop(this.pool, id, payTx);
  }
}

async function drop(client: TransactionClient | Pool, orderId: string, txHash: string): Promise<boolean> {
  const { rowCount } = await client.query({
    name: 'displaced-report-drop',
    text: 'DELETE FROM displaced_reports WHERE order_id = $1 AND tx_hash = $2',
    values: [orderId, txHash],
  });
  return rowCount === 1;
}
