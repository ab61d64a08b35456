import { Injectable } from '@nestjs/common';
import { purchaseEvents, type PurchaseStatus } from '@tollbridge/contracts';
import type { CallContext } from '@tollbridge/rpc';
import { Database } from '@tollbridge/database';
import type { Pool } from 'pg';
import { hasEnded, type Purchase, type Refusal } from './purchase';

interface PurchaseRow {
  id: string;
  wallet: string;
  key_id: string | null;
  kind: string;
  reference: string;
  terms: Record<string, unknown>;
  status: PurchaseStatus;
  provider_id: string | null;
  result: Record<string, unknown> | null;
  refusal: Refusal | null;
  value_usd: string | null;
  checks: number;
  version: number;
  created_at: Date;
  updated_at: Date;
}

export interface PurchaseWish {
  id: string;
  wallet: string;
  keyId: string | null;
  kind: string;
  reference: string;
  terms: object;
  valueUsd: string | null;
}

/** What a purchase becomes. */
export interface PurchaseChange {
  status: Exclude<PurchaseStatus, 'buying'>;
  providerId?: string | null;
  result?: Record<string, unknown>;
  refusal?: Refusal;
  valueUsd?: string;
  /** When its provider is asked again; none for what has ended. */
  checkAtMs?: number;
}

/** By what purchases can be named: our ids, those of their provider, or the number that a message is for. */
export interface NamedPurchases {
  purchaseIds: readonly string[];
  providerIds: readonly string[];
  recipient?: string;
}

type Traced = Pick<CallContext, 'requestId' | 'traceparent'>;

/** The only file that reads and writes purchases. */
@Injectable()
export class PurchasesRepository {
  private readonly pool: Pool;

  constructor({ pool }: Database) {
    this.pool = pool;
  }

  /**
   * Claims a purchase before its provider is asked: of any number that ask for one reference, one gets it. What was refused
   * before can be claimed anew, on the same terms or others.
   */
  async claim(
    wish: PurchaseWish,
    { nowMs, leaseMs }: { nowMs: number; leaseMs: number },
  ): Promise<{ purchase: Purchase; isMine: boolean }> {
    const values = [
      ...[wish.id, wish.wallet, wish.keyId, wish.kind, wish.reference, JSON.stringify(wish.terms)],
      ...[wish.valueUsd, new Date(nowMs), new Date(nowMs + leaseMs)],
    ];
    const claimed = await this.pool.query<PurchaseRow>({ ...claimStatement, values });
    if (claimed.rows[0]) return { purchase: fromRow(claimed.rows[0]), isMine: true };
    const { rows } = await this.pool.query<PurchaseRow>({
      name: 'purchase-by-reference',
      text: 'SELECT * FROM purchases WHERE wallet = $1 AND kind = $2 AND reference = $3',
      values: [wish.wallet, wish.kind, wish.reference],
    });
    return { purchase: fromRow(rows[0]!), isMine: false };
  }

  async find(id: string): Promise<Purchase | undefined> {
    const { rows } = await this.pool.query<PurchaseRow>({
      name: 'purchase-find',
      text: 'SELECT * FROM purchases WHERE id = $1',
      values: [id],
    });
    return rows.map(fromRow)[0];
  }

  /**
   * Notes what became of a purchase and tells it, unless somebody else has changed it since it was read: undefined then.
   */
  async change(
    { id, version }: Pick<Purchase, 'id' | 'version'>,
    change: PurchaseChange,
    nowMs: number,
    { requestId, traceparent }: Traced,
  ): Promise<Purchase | undefined> {
    const { status, checkAtMs } = change;
    const isOver = hasEnded(status) || checkAtMs === undefined;
    const { rows } = await this.pool.query<PurchaseRow>({
      ...changeStatement,
      values: [
        ...[id, version, status, change.providerId ?? null, change.result && JSON.stringify(change.result)],
        ...[change.refusal ? JSON.stringify(change.refusal) : null, change.valueUsd ?? null],
        ...[isOver ? null : new Date(checkAtMs), new Date(nowMs), requestId, traceparent],
      ],
    });
    return rows.map(fromRow)[0];
  }

  /** Sets when a provider is asked again about what is still as it was; never, without a time. */
  async postpone({ id, version }: Pick<Purchase, 'id' | 'version'>, checkAtMs?: number): Promise<void> {
    await this.pool.query({
      name: 'purchase-postpone',
      text: 'UPDATE purchases SET check_at = $3 WHERE id = $1 AND version = $2',
      values: [id, version, checkAtMs === undefined ? null : new Date(checkAtMs)],
    });
  }

  /**
   * Takes purchases of which their providers are to be asked; nobody else takes them before the lease ends. Claims whose
   * own lease has ended are among them: who made them has died, or will find that they are his no more.
   */
  async takeDue(
    kinds: readonly string[],
    { nowMs, leaseMs, limit }: { nowMs: number; leaseMs: number; limit: number },
  ): Promise<Purchase[]> {
    const { rows } = await this.pool.query<PurchaseRow>({
      name: 'purchases-due',
      text: `UPDATE purchases SET check_at = $3, checks = checks + 1 WHERE id IN (
               SELECT id FROM purchases WHERE check_at <= $2 AND kind = ANY($1::text[])
               ORDER BY check_at LIMIT $4 FOR UPDATE SKIP LOCKED) RETURNING *`,
      values: [kinds, new Date(nowMs), new Date(nowMs + leaseMs), limit],
    });
    return rows.map(fromRow);
  }

  /** When the next of these is to be looked at; null while none waits. */
  async nextDueMs(kinds: readonly string[]): Promise<number | null> {
    const { rows } = await this.pool.query<{ at: Date | null }>({
      name: 'purchases-next-due',
      text: 'SELECT min(check_at) AS at FROM purchases WHERE check_at IS NOT NULL AND kind = ANY($1::text[])',
      values: [kinds],
    });
    return rows[0]!.at?.getTime() ?? null;
  }

  /**
   * Takes purchases that somebody says have changed, if they are still under way and wait for their turn. It neither
   * counts as a check nor takes what is over, so that whoever repeats himself puts nothing off.
   */
  async takeNamed(
    kinds: readonly string[],
    { purchaseIds, providerIds, recipient }: NamedPurchases,
    { nowMs, leaseMs, limit }: { nowMs: number; leaseMs: number; limit: number },
  ): Promise<Purchase[]> {
    const { rows } = await this.pool.query<PurchaseRow>({
      name: 'purchases-named',
      text: `UPDATE purchases SET check_at = $2 WHERE id IN (
               SELECT id FROM purchases
               WHERE kind = ANY($3::text[]) AND status IN ('pending', 'unknown') AND check_at > $1 AND id IN (
                 SELECT unnest($4::uuid[])
                 UNION ALL SELECT id FROM purchases WHERE provider_id = ANY($5::text[])
                 UNION ALL SELECT id FROM purchases
                   WHERE $6::text IS NOT NULL AND check_at > $1 AND provider_id IS NULL AND terms ->> 'to' = $6)
               ORDER BY id DESC LIMIT $7 FOR UPDATE SKIP LOCKED) RETURNING *`,
      values: [
        ...[new Date(nowMs), new Date(nowMs + leaseMs), kinds],
        ...[purchaseIds, providerIds, recipient ?? null, limit],
      ],
    });
    return rows.map(fromRow);
  }
}

const claimStatement = {
  name: 'purchase-claim',
  text: `INSERT INTO purchases AS p
      (id, wallet, key_id, kind, reference, terms, status, value_usd, lease_until, check_at, created_at, updated_at)
    VALUES ($1, $2, $3, $4, $5, $6, 'buying', $7, $9, $9, $8, $8)
    ON CONFLICT (wallet, kind, reference) DO UPDATE SET
      -- A new id: what was asked under the former one, and refused, must not be found in its place.
      id = excluded.id, key_id = excluded.key_id, terms = excluded.terms, status = 'buying', value_usd = excluded.value_usd,
      lease_until = excluded.lease_until, check_at = excluded.check_at, refusal = NULL, provider_id = NULL, result = NULL,
      checks = 0, version = 1, created_at = excluded.created_at, updated_at = excluded.updated_at
    WHERE p.status = 'refused'
    RETURNING *`,
};

const { subject, type, version } = purchaseEvents['purchase-changed'];
const updatedAt = `to_char(c.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

const changeStatement = {
  name: 'purchase-change',
  text: `WITH changed AS (
      UPDATE purchases SET status = $3, provider_id = coalesce($4, provider_id), result = coalesce($5::json, result),
        refusal = $6::json, value_usd = coalesce($7::numeric, value_usd), lease_until = NULL, check_at = $8,
        version = version + 1, updated_at = $9
      WHERE id = $1 AND version = $2 RETURNING *
    ), told AS (
      INSERT INTO outbox (id, subject, aggregate_id, payload)
      SELECT c.event_id, '${subject}', c.id::text, json_build_object(
        'id', c.event_id, 'type', '${type}', 'version', ${version}, 'aggregateId', c.id, 'aggregateVersion', c.version,
        'occurredAt', ${updatedAt}, 'requestId', $10::text, 'traceparent', $11::text,
        'data', json_build_object('purchase_id', c.id, 'kind', c.kind, 'status', c.status, 'wallet_address', c.wallet,
          'key_id', c.key_id, 'provider_id', c.provider_id, 'value_usd', c.value_usd::text, 'version', c.version,
          'updated_at', ${updatedAt}))
      FROM (SELECT gen_random_uuid() AS event_id, changed.* FROM changed OFFSET 0) c
    )
    SELECT * FROM changed`,
};

function fromRow(row: PurchaseRow): Purchase {
  return {
    id: row.id,
    wallet: row.wallet,
    keyId: row.key_id,
    kind: row.kind,
    reference: row.reference,
    terms: row.terms,
    status: row.status,
    providerId: row.provider_id,
    result: row.result,
    refusal: row.refusal,
    valueUsd: row.value_usd,
    checks: row.checks,
    version: row.version,
    createdAtMs: row.created_at.getTime(),
    updatedAtMs: row.updated_at.getTime(),
  };
}
