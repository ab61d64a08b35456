import { Injectable } from '@nestjs/common';
import type { Conversion } from '@tollbridge/contracts';
import { DomainError } from '@tollbridge/rpc';
import { Database, lockRows, transaction } from '@tollbridge/database';
import type { Pool, PoolClient } from 'pg';
import { idOf, notFound } from './paylink-id';
import { switchedLink, type PayLink, type Pause } from './paylink';

interface PayLinkRow {
  id: string;
  wallet: string;
  name: string;
  description: string;
  amount: string;
  min_amount: string | null;
  conversion: Conversion | null;
  chain: string;
  token: string;
  token_address: string | null;
  decimals: number;
  receive_address: string;
  image_url: string | null;
  success_url: string | null;
  cancel_url: string | null;
  metadata: Record<string, unknown> | null;
  expires_at: Date | null;
  max_payments: number | null;
  active: boolean;
  closed_at: Date | null;
  pauses: Pause[];
  deleted_at: Date | null;
  payment_count: number;
  unverified_count: number;
  created_at: Date;
  updated_at: Date;
}

// More than a merchant can manage, and few enough to count at each insert.
const maxLinks = 1_000;

/**
 * The only file that reads and writes links. Uses SQL for locks and for changes relative to stored values. The reads
 * share their row type.
 */
@Injectable()
export class PayLinksRepository {
  private readonly pool: Pool;

  constructor({ pool }: Database) {
    this.pool = pool;
  }

  /** @param also makes further writes in the same transaction */
  async insert(link: PayLink, also: (client: PoolClient) => Promise<void>): Promise<void> {
    await transaction(this.pool, async (client) => {
      // Serialises the inserts of a wallet, so that concurrent inserts do not exceed the maximum.
      await lockRows(client, 'paylinks', [link.wallet]);
      const { rows } = await client.query<{ count: number }>(
        'SELECT count(*)::int AS count FROM paylinks WHERE wallet = $1 AND deleted_at IS NULL',
        [link.wallet],
      );
      if (rows[0]!.count >= maxLinks)
        throw new DomainError(
          'CONFLICT',
          `Your wallet has ${maxLinks} PayLinks, the maximum. Delete one first.`,
        );
      await client.query(insertStatement, valuesOf(link));
      await also(client);
    });
  }

  /** @param id from a request @throws DomainError NOT_FOUND for an unknown id, a deleted link and an invalid id */
  async find(id: string): Promise<PayLink> {
    const { rows } = await this.pool.query<PayLinkRow>({
      name: 'paylink-find',
      text: 'SELECT * FROM paylinks WHERE id = $1 AND deleted_at IS NULL',
      values: [idOf(id)],
    });
    if (!rows[0]) throw notFound();
    return fromRow(rows[0]);
  }

  async list(
    wallet: string,
    { limit, before, isActive }: { limit: number; before?: string; isActive?: boolean },
  ): Promise<PayLink[]> {
    const { rows } = await this.pool.query<PayLinkRow>({
      name: 'paylinks-list',
      text: `SELECT * FROM paylinks WHERE wallet = $1 AND deleted_at IS NULL
          AND ($2::uuid IS NULL OR id < $2) AND ($3::boolean IS NULL OR active = $3)
        ORDER BY id DESC LIMIT $4`,
      values: [wallet, before ?? null, isActive ?? null, limit],
    });
    return rows.map(fromRow);
  }

  /**
   * @param also makes further writes with the link in the same transaction; not called when the wallet has no such link
   */
  async toggle(
    { id, wallet, isActive }: { id: string; wallet: string; isActive: boolean },
    nowMs: number,
    also: (link: PayLink, client: PoolClient) => Promise<void>,
  ): Promise<void> {
    await transaction(this.pool, async (client) => {
      const link = await this.lockOwn(client, { id, wallet }, 'NO KEY UPDATE');
      if (!link) return;
      const switched = switchedLink(link, isActive, nowMs);
      if (switched !== link)
        await client.query(
          'UPDATE paylinks SET active = $2, closed_at = $3, pauses = $4, updated_at = $5 WHERE id = $1',
          [
            id,
            switched.isActive,
            date(switched.closedAtMs),
            JSON.stringify(switched.pauses),
            date(switched.updatedAtMs),
          ],
        );
      await also(switched, client);
    });
  }

  /**
   * Deletes a link. Its row stays while payments or checkouts reference it, because a checkout may still be paid.
   * @returns whether the wallet had this link
   */
  async delete({ id, wallet }: { id: string; wallet: string }, nowMs: number): Promise<boolean> {
    return transaction(this.pool, async (client) => {
      // Waits for a concurrent payment that is being recorded.
      if (!(await this.lockOwn(client, { id, wallet }, 'UPDATE'))) return false;
      const gone = await client.query(
        `DELETE FROM paylinks l WHERE id = $1 AND NOT EXISTS (SELECT FROM paylink_payments WHERE paylink_id = l.id)
           AND NOT EXISTS (SELECT FROM payment_requests WHERE paylink_id = l.id)`,
        [id],
      );
      if (gone.rowCount === 0)
        await client.query(
          'UPDATE paylinks SET deleted_at = $2, closed_at = coalesce(closed_at, $2), updated_at = $2 WHERE id = $1',
          [id, new Date(nowMs)],
        );
      return true;
    });
  }

  private async lockOwn(
    client: PoolClient,
    { id, wallet }: { id: string; wallet: string },
    strength: 'UPDATE' | 'NO KEY UPDATE',
  ): Promise<PayLink | undefined> {
    const { rows } = await client.query<PayLinkRow>(
      `SELECT * FROM paylinks WHERE id = $1 AND wallet = $2 AND deleted_at IS NULL FOR ${strength}`,
      [id, wallet],
    );
    return rows.map(fromRow)[0];
  }

  /**
   * Locks a link, and the links to the same receiver that have claimed a transfer of the transaction. The locks are in
   * the order of ids, so that settlements do not deadlock. Deleted links are included, because earlier payments count.
   */
  async lockWithRivals(
    client: PoolClient,
    { linkId, chain, txHash }: { linkId: string; chain: string; txHash: string },
  ): Promise<PayLink[]> {
    const { rows } = await client.query<PayLinkRow>({
      name: 'paylinks-lock-with-rivals',
      text: lockStatement,
      values: [linkId, chain, txHash],
    });
    return rows.map(fromRow);
  }

  /**
   * The minimum amount that pays a link of `owners` to the same receiver in the same token, created before
   * `madeBeforeMs`. Links of the given link's wallet are excluded. Null without such a link.
   */
  async leastAmountOf(
    client: PoolClient,
    owners: readonly string[],
    { wallet, chain, tokenAddress, receiveAddress }: PayLink,
    madeBeforeMs: number,
  ): Promise<bigint | null> {
    const { rows } = await client.query<{ least: string | null }>({
      name: 'paylinks-least-amount',
      text: `SELECT min(coalesce(min_amount, amount)) AS least FROM paylinks
             WHERE wallet = ANY($1) AND wallet <> $2 AND deleted_at IS NULL AND chain = $3
               AND token_address IS NOT DISTINCT FROM $4 AND receive_address = $5 AND created_at <= $6`,
      values: [owners, wallet, chain, tokenAddress, receiveAddress, new Date(madeBeforeMs)],
    });
    const least = rows[0]!.least;
    return least === null ? null : BigInt(least);
  }

  /** Whether a link with this id, even a deleted one, has the same receiver on the same chain. */
  async isOfSameReceiver(
    client: PoolClient,
    id: string,
    { chain, receiveAddress }: PayLink,
  ): Promise<boolean> {
    const { rowCount } = await client.query(
      'SELECT FROM paylinks WHERE id = $1 AND chain = $2 AND receive_address = $3',
      [id, chain, receiveAddress],
    );
    return rowCount === 1;
  }

  /** Locks a link, even a deleted one, because earlier payments count. */
  async lock(client: PoolClient, id: string): Promise<PayLink | undefined> {
    const { rows } = await client.query<PayLinkRow>('SELECT * FROM paylinks WHERE id = $1 FOR UPDATE', [id]);
    return rows.map(fromRow)[0];
  }

  /** Prevents the deletion of a link until the commit. @returns false when the link is deleted already */
  async keep(client: PoolClient, id: string): Promise<boolean> {
    const { rowCount } = await client.query(
      'SELECT FROM paylinks WHERE id = $1 AND deleted_at IS NULL FOR KEY SHARE',
      [id],
    );
    return rowCount === 1;
  }

  /** Changes the counts of a locked link. @returns the changed link */
  async count(
    client: PoolClient,
    id: string,
    { payments, unverified }: { payments: number; unverified: number },
    nowMs: number,
  ): Promise<PayLink> {
    const { rows } = await client.query<PayLinkRow>(
      `UPDATE paylinks SET payment_count = payment_count + $2, unverified_count = unverified_count + $3, updated_at = $4
       WHERE id = $1 RETURNING *`,
      [id, payments, unverified, new Date(nowMs)],
    );
    return fromRow(rows[0]!);
  }
}

// A union, because an OR of both conditions would read the whole table.
export const lockStatement = `
  SELECT * FROM paylinks WHERE id IN (
    SELECT $1::uuid
    UNION ALL SELECT theirs.id FROM paylink_payments p JOIN paylinks theirs ON theirs.id = p.paylink_id
      JOIN paylinks own ON own.id = $1
    WHERE p.chain = $2 AND p.tx_hash = $3 AND p.log_index IS NOT NULL
      AND theirs.receive_address = own.receive_address AND theirs.wallet <> own.wallet)
  ORDER BY id FOR UPDATE`;

const columns = [
  'id',
  'wallet',
  'name',
  'description',
  'amount',
  'min_amount',
  'chain',
  'token',
  'token_address',
  'decimals',
  'receive_address',
  'image_url',
  'success_url',
  'cancel_url',
  'metadata',
  'expires_at',
  'max_payments',
  'conversion',
  'created_at',
  'updated_at',
];
const insertStatement = `INSERT INTO paylinks (${columns.join(', ')})
  VALUES (${columns.map((_, index) => `$${index + 1}`).join(', ')})`;

const date = (ms: number | null): Date | null => (ms === null ? null : new Date(ms));

function valuesOf(link: PayLink): unknown[] {
  const { metadata, minAmount, conversion } = link;
  return [
    link.id,
    link.wallet,
    link.name,
    link.description,
    String(link.amount),
    minAmount === null ? null : String(minAmount),
    link.chain,
    link.token,
    link.tokenAddress,
    link.decimals,
    link.receiveAddress,
    link.imageUrl,
    link.successUrl,
    link.cancelUrl,
    metadata && JSON.stringify(metadata),
    date(link.expiresAtMs),
    link.maxPayments,
    conversion && JSON.stringify(conversion),
    date(link.createdAtMs),
    date(link.updatedAtMs),
  ];
}

function fromRow(row: PayLinkRow): PayLink {
  return {
    id: row.id,
    wallet: row.wallet,
    name: row.name,
    description: row.description,
    amount: BigInt(row.amount),
    conversion: row.conversion,
    minAmount: row.min_amount === null ? null : BigInt(row.min_amount),
    chain: row.chain,
    token: row.token,
    tokenAddress: row.token_address,
    decimals: row.decimals,
    receiveAddress: row.receive_address,
    imageUrl: row.image_url,
    successUrl: row.success_url,
    cancelUrl: row.cancel_url,
    metadata: row.metadata,
    expiresAtMs: row.expires_at?.getTime() ?? null,
    maxPayments: row.max_payments,
    isActive: row.active,
    closedAtMs: row.closed_at?.getTime() ?? null,
    pauses: row.pauses,
    isDeleted: row.deleted_at !== null,
    paymentCount: row.payment_count,
    unverifiedCount: row.unverified_count,
    createdAtMs: row.created_at.getTime(),
    updatedAtMs: row.updated_at.getTime(),
  };
}
