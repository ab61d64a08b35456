import { Injectable } from '@nestjs/common';
import { purchaseEvents, type PurchaseStatus } from '@tollbridge/contracts';
import { DomainError, type CallContext } from '@tollbridge/rpc';
import { Database, transaction } from '@tollbridge/database';
import type { Pool } from 'pg';
import type { Repository } from 'typeorm';
import { hasEnded, type Purchase, type Rejection } from './purchase';
import { purchaseChangedEvent } from './purchase-events';
import { fromRow } from './purchase-rows';
import { PurchaseRow } from './purchases.entity';

export interface NewPurchase {
  id: string;
  wallet: string;
  keyId: string | null;
  kind: string;
  reference: string;
  provider: string;
  terms: object;
  valueUsd: string | null;
}

/** A transition of a purchase. */
export interface PurchaseChange {
  status: Exclude<PurchaseStatus, 'buying'>;
  providerId?: string | null;
  result?: object;
  refusal?: Rejection;
  valueUsd?: string;
  /** When the provider is polled next; absent for a final status. */
  checkAtMs?: number;
}

export type PurchaseState = Pick<Purchase, 'id' | 'wallet' | 'kind' | 'status' | 'providerId' | 'result'>;

export interface Lease {
  nowMs: number;
  leaseMs: number;
  limit: number;
}

type Traced = Pick<CallContext, 'requestId' | 'traceparent'>;

@Injectable()
export class PurchasesRepository {
  private readonly pool: Pool;
  private readonly rows: Repository<PurchaseRow>;

  constructor({ pool, dataSource }: Database) {
    this.pool = pool;
    this.rows = dataSource.getRepository(PurchaseRow);
  }

  /**
   * Claims a reference before the request to the provider. Of concurrent claims, one wins. A declined purchase can be
   * claimed again, with any terms. SQL: conditional conflict clause.
   */
  async claim(
    purchase: NewPurchase,
    { nowMs, leaseMs }: Pick<Lease, 'nowMs' | 'leaseMs'>,
    client: Pick<Pool, 'query'> = this.pool,
  ): Promise<{ purchase: Purchase; isMine: boolean }> {
    const { id, wallet, keyId, kind, reference, provider, terms, valueUsd } = purchase;
    const values = [
      id,
      wallet,
      keyId,
      kind,
      reference,
      JSON.stringify(terms),
      valueUsd,
      new Date(nowMs),
      new Date(nowMs + leaseMs),
      provider,
    ];
    const claimed = await client.query<PurchaseRow>({ ...claimStatement, values });
    if (claimed.rows[0]) return { purchase: fromRow(claimed.rows[0]), isMine: true };
    return { purchase: (await this.findByReference(wallet, kind, reference))!, isMine: false };
  }

  /**
   * Claims the purchase of a sale. The lock of the sale excludes a concurrent refund. The purchase may not cost more
   * than was paid. SQL: row lock.
   * @throws DomainError PURCHASE_REFUSED
   */
  claimOfSale(
    saleId: string,
    purchase: NewPurchase,
    lease: Pick<Lease, 'nowMs' | 'leaseMs'>,
  ): Promise<{ purchase: Purchase; isMine: boolean }> {
    const { wallet, kind, reference, valueUsd } = purchase;
    return transaction(this.pool, async (client) => {
      const { rows } = await client.query<{ state: string; is_covered: boolean | null }>({
        name: 'purchase-sale',
        text: 'SELECT state, $2::numeric <= cost_usd AS is_covered FROM sales WHERE id = $1 FOR UPDATE',
        values: [saleId, valueUsd],
      });
      const known = await client.query<PurchaseRow>({
        name: 'purchase-of-sale',
        text: 'SELECT * FROM purchases WHERE wallet = $1 AND kind = $2 AND reference = $3',
        values: [wallet, kind, reference],
      });
      const found = known.rows.map(fromRow)[0];
      // A payment pays for one attempt only.
      if (found) return { purchase: found, isMine: false };
      if (rows[0]?.state !== 'settled') throw refused('REFUNDED', 'The payment is refunded.');
      if (rows[0].is_covered !== true) throw refused('PRICE_CHANGED', 'The price has risen.');
      return this.claim(purchase, lease, client);
    });
  }

  async find(id: string): Promise<Purchase | undefined> {
    const row = await this.rows.findOneBy({ id });
    return row ? fromRow(row) : undefined;
  }

  /** Reads the state, which callers poll. SQL: a prepared statement of few columns, for bench row `sms status`. */
  async findState(id: string): Promise<PurchaseState | undefined> {
    const { rows } = await this.pool.query<PurchaseState>({
      name: 'purchase-state',
      text: 'SELECT id, wallet, kind, status, provider_id AS "providerId", result FROM purchases WHERE id = $1',
      values: [id],
    });
    return rows[0];
  }

  async findByReference(wallet: string, kind: string, reference: string): Promise<Purchase | undefined> {
    const row = await this.rows.findOneBy({ wallet, kind, reference });
    return row ? fromRow(row) : undefined;
  }

  /**
   * Stores a transition and its event. Returns undefined when the purchase has changed since it was read.
   * SQL: one statement writes both, or neither, in one round trip.
   */
  async change(
    purchase: Purchase,
    change: PurchaseChange,
    nowMs: number,
    traced: Traced,
  ): Promise<Purchase | undefined> {
    const changed = afterChange(purchase, change, nowMs);
    const event = purchaseChangedEvent(changed, traced);
    const { checkAtMs } = change;
    const isFinal = hasEnded(change.status) || checkAtMs === undefined;
    const { rows } = await this.pool.query<PurchaseRow>({
      ...changeStatement,
      values: [
        purchase.id,
        purchase.version,
        changed.status,
        changed.providerId,
        changed.result && JSON.stringify(changed.result),
        changed.refusal && JSON.stringify(changed.refusal),
        changed.valueUsd,
        isFinal ? null : new Date(checkAtMs),
        new Date(nowMs),
        event.id,
        subject,
        JSON.stringify(event),
      ],
    });
    return rows.map(fromRow)[0];
  }
}

const refused = (reason: string, why: string): DomainError =>
  new DomainError('PURCHASE_REFUSED', `${why} Nothing was bought.`, { details: { reason } });

const claimStatement = {
  name: 'purchase-claim',
  text: `INSERT INTO purchases AS p (id, wallet, key_id, kind, reference, terms, status, value_usd, lease_until, check_at,
      created_at, updated_at, provider)
    VALUES ($1, $2, $3, $4, $5, $6, 'buying', $7, $9, $9, $8, $8, $10)
    ON CONFLICT (wallet, kind, reference) DO UPDATE SET
      -- A new id: a lookup at the provider must not find the declined purchase.
      id = excluded.id, key_id = excluded.key_id, terms = excluded.terms, status = 'buying', value_usd = excluded.value_usd,
      lease_until = excluded.lease_until, check_at = excluded.check_at, refusal = NULL, provider_id = NULL, result = NULL,
      checks = 0, version = 1, created_at = excluded.created_at, updated_at = excluded.updated_at,
      provider = excluded.provider
    WHERE p.status = 'refused'
    RETURNING *`,
};

const { subject } = purchaseEvents['purchase-changed'];

const changeStatement = {
  name: 'purchase-change',
  text: `WITH changed AS (
      UPDATE purchases SET status = $3, provider_id = $4, result = $5, refusal = $6, value_usd = $7, lease_until = NULL,
        check_at = $8, version = version + 1, updated_at = $9
      WHERE id = $1 AND version = $2 RETURNING *
    ), event AS (
      INSERT INTO outbox (id, subject, aggregate_id, payload)
      SELECT $10::uuid, $11::text, changed.id::text, $12::json FROM changed
    )
    SELECT * FROM changed`,
};

function afterChange(purchase: Purchase, change: PurchaseChange, nowMs: number): Purchase {
  return {
    ...purchase,
    status: change.status,
    providerId: change.providerId ?? purchase.providerId,
    result: change.result ? { ...change.result } : purchase.result,
    refusal: change.refusal ?? null,
    valueUsd: change.valueUsd ?? purchase.valueUsd,
    version: purchase.version + 1,
    updatedAtMs: nowMs,
  };
}
