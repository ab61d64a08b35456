import { Injectable } from '@nestjs/common';
import { Database, transaction, type TransactionClient } from '@tollbridge/database';
import type { Pool } from 'pg';
import type { Repository } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { RefundAddressRow } from './refunds.entity';

/** The address where the route provider refunds an order without a payer. */
export interface RefundAddress {
  address: string;
  /** Null for an address of the operator that this deployment does not read. */
  index: number | null;
}

/** An address that is due to be read. */
export interface DueAddress {
  orderId: string;
  chain: string;
  token: string;
  address: string;
  sinceMs: number;
  leftoverAtomic: bigint;
  settledHeight: number;
}

interface DueRow {
  order_id: string;
  pay_chain: string;
  pay_token: string;
  address: string;
  since: Date;
  leftover: string;
  settled_height: string;
}

/** Stores the address in the transaction that stores its order. */
export async function insertRefundAddress(
  client: TransactionClient,
  orderId: string,
  { address, index }: RefundAddress,
  nowMs: number,
): Promise<void> {
  await client.query({
    name: 'refund-address-insert',
    text: 'INSERT INTO refund_addresses (order_id, address, address_index, since) VALUES ($1, $2, $3, $4)',
    values: [orderId, address, index, new Date(nowMs)],
  });
}

/**
 * Call it when the route provider may have refunded a deposit. A readable address becomes due now. For other addresses,
 * the amount that the provider reports waits for an operator. The caller holds the lock of the order.
 */
export async function expectRefund(
  client: TransactionClient,
  orderId: string,
  { refundedAtomic, nowMs }: { refundedAtomic: bigint; nowMs: number },
): Promise<void> {
  const { rows } = await client.query<{ address_index: number | null }>({
    name: 'refund-address-news',
    text: `UPDATE refund_addresses SET since = $2, check_at = CASE WHEN address_index IS NOT NULL THEN $2::timestamptz END
           WHERE order_id = $1 RETURNING address_index`,
    values: [orderId, new Date(nowMs)],
  });
  if (rows[0]?.address_index !== null || refundedAtomic === 0n) return;
  await client.query({
    name: 'refund-by-hand',
    text: `INSERT INTO refunds (id, order_id, state, amount, reason, created_at, updated_at)
           SELECT $1, $2, 'manual', $3::numeric - known.amount, 'NO_NODE', $4, $4
           FROM (SELECT coalesce(sum(amount), 0) AS amount FROM refunds WHERE order_id = $2) known
           WHERE $3::numeric > known.amount
           ON CONFLICT (order_id) WHERE state NOT IN ('sent', 'closed')
             DO UPDATE SET amount = refunds.amount + excluded.amount, updated_at = $4`,
    values: [uuid(), orderId, String(refundedAtomic), new Date(nowMs)],
  });
}

/** Serialises the start and the end of refunds, so that neither misses that the address is due. */
export async function lockRefundAddress(client: TransactionClient, orderId: string): Promise<void> {
  await client.query({
    name: 'refund-address-lock',
    text: 'SELECT FROM refund_addresses WHERE order_id = $1 FOR UPDATE',
    values: [orderId],
  });
}

/**
 * Reads and writes addresses of the refund account. Uses SQL for a sequence, leases, and writes in the order's
 * transaction.
 */
@Injectable()
export class RefundAddressesRepository {
  private readonly pool: Pool;
  private readonly rows: Repository<RefundAddressRow>;

  constructor({ pool, dataSource }: Database) {
    this.pool = pool;
    this.rows = dataSource.getRepository(RefundAddressRow);
  }

  /** A new derivation index. */
  async nextIndex(): Promise<number> {
    const { rows } = await this.pool.query<{ index: string }>({
      name: 'refund-address-index',
      text: "SELECT nextval('refund_address_index') AS index",
    });
    return Number(rows[0]!.index);
  }

  /** Leases due addresses, so that no other replica reads them before the lease ends. */
  async takeDue(nowMs: number, leaseMs: number, limit: number): Promise<DueAddress[]> {
    const { rows } = await this.pool.query<DueRow>({
      name: 'refund-addresses-due',
      text: `WITH due AS (
               SELECT order_id FROM refund_addresses WHERE check_at <= $1
               ORDER BY check_at LIMIT $3 FOR UPDATE SKIP LOCKED
             ), taken AS (
               UPDATE refund_addresses a SET check_at = $2 FROM due WHERE a.order_id = due.order_id RETURNING a.*
             )
             SELECT t.order_id, t.address, t.since, t.leftover, t.settled_height, o.pay_chain, o.pay_token
             FROM taken t JOIN orders o ON o.id = t.order_id`,
      values: [new Date(nowMs), new Date(nowMs + leaseMs), limit],
    });
    return rows.map((row) => ({
      orderId: row.order_id,
      chain: row.pay_chain,
      token: row.pay_token,
      address: row.address,
      sinceMs: row.since.getTime(),
      leftoverAtomic: BigInt(row.leftover),
      settledHeight: Number(row.settled_height),
    }));
  }

  async nextCheckMs(): Promise<number | null> {
    const { rows } = await this.pool.query<{ at: Date | null }>({
      name: 'refund-addresses-next',
      text: 'SELECT min(check_at) AS at FROM refund_addresses',
    });
    return rows[0]!.at?.getTime() ?? null;
  }

  /**
   * Creates a refund for an amount that arrived, unless an open refund exists, which includes the amount. The address
   * becomes due again when the refund has ended.
   */
  async arrived(orderId: string, amountAtomic: bigint, nowMs: number): Promise<void> {
    await transaction(this.pool, async (client) => {
      await lockRefundAddress(client, orderId);
      await client.query({
        name: 'refund-arrived',
        text: `INSERT INTO refunds (id, order_id, state, amount, check_at, created_at, updated_at)
               VALUES ($1, $2, 'arrived', $3, $4, $4, $4)
               ON CONFLICT (order_id) WHERE state NOT IN ('sent', 'closed') DO NOTHING`,
        values: [uuid(), orderId, String(amountAtomic), new Date(nowMs)],
      });
      await client.query({
        name: 'refund-address-arrived',
        text: 'UPDATE refund_addresses SET check_at = NULL WHERE order_id = $1',
        values: [orderId],
      });
    });
  }

  /**
   * Changes nothing when the address became due since it was leased.
   * @param checkAtMs null when the address need not be read any more
   */
  async postpone(
    { orderId, sinceMs }: Pick<DueAddress, 'orderId' | 'sinceMs'>,
    checkAtMs: number | null,
  ): Promise<void> {
    await this.rows.update(
      { order_id: orderId, since: new Date(sinceMs) },
      { check_at: checkAtMs === null ? null : new Date(checkAtMs) },
    );
  }
}
