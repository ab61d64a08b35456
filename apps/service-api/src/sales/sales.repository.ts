import { Inject, Injectable } from '@nestjs/common';
import { WorkHints } from '@tollbridge/bootstrap';
import type { PurchaseStatus } from '@tollbridge/contracts';
import { Clock, Database, lockRows, transaction, type TransactionClient } from '@tollbridge/database';
import { idempotencyKeyOf } from '@tollbridge/rpc';
import type { Pool } from 'pg';
import { v7 as uuid } from 'uuid';
import type { Settlement } from './payments/sale-payments';
import {
  refundOf,
  responseKind,
  settledElsewhere,
  verdictOn,
  walletOf,
  type PaymentIdentity,
  type RefundAuthorization,
  type Sale,
  type SaleFailure,
  type SaleState,
  type SoldRequest,
  type StoredPayment,
} from './sale';
import type { SaleRow } from './sales.entity';

/** A payment to claim. */
export interface NewSale extends PaymentIdentity, SoldRequest {
  purchaseKind: string;
  amountAtomic: bigint;
  costAtomic: bigint;
  costUsd: string;
  priceUsd: string;
  payment: StoredPayment;
}

export interface SpendLimits {
  payerDayUsd: string;
  dayUsd: string;
  inProgress: number;
}

export type ExceededLimit = 'payer' | 'total' | 'busy';

/** The sale that the payment belongs to, or the reason why the payment was not claimed. */
export type ClaimOutcome =
  | { kind: 'sale'; sale: Sale; isMine: boolean }
  | { kind: 'offerPaid' }
  | { kind: 'limited'; limit: ExceededLimit };

/** Longer than every settlement call. After it, the process that settled has stopped. */
export const settleLeaseMs = 60_000;
const dayMs = 86_400_000;
const openCheckMs = 15_000;
const longestPauseMs = 5 * 60_000;
const mostCounted = 20_000;

/** Derived from the sale, so that the purchase is also found after a crash. */
export const saleKeyOf = (saleId: string): string => idempotencyKeyOf('sale', saleId);
export const purchaseReferenceOf = ({ id, purchaseKind }: Pick<Sale, 'id' | 'purchaseKind'>): string =>
  idempotencyKeyOf(saleKeyOf(id), purchaseKind);

export const nextSaleCheck = (checks: number, nowMs: number): Date =>
  new Date(nowMs + Math.min(2_000 * 2 ** Math.min(checks, 20), longestPauseMs));

/** Serialises claims, and refunds of payments without a sale. */
export const lockClaims = (client: TransactionClient): Promise<unknown> =>
  lockRows(client, 'sales claims', ['']);

/** Stores sales. SQL: claims and spend limits are serialised under a lock, transitions are conditional. */
@Injectable()
export class SalesRepository {
  private readonly pool: Pool;

  constructor(
    { pool }: Database,
    private readonly hints: WorkHints,
    @Inject(Clock) private readonly clock: Clock,
  ) {
    this.pool = pool;
  }

  async find(identity: PaymentIdentity): Promise<Sale | undefined> {
    const { rows } = await this.pool.query<SaleRow>({ ...findStatement, values: identityOf(identity) });
    return rows.map(fromRow)[0];
  }

  async get(id: string): Promise<Sale | undefined> {
    const text = 'SELECT * FROM sales WHERE id = $1';
    const { rows } = await this.pool.query<SaleRow>({ name: 'sale-get', text, values: [id] });
    return rows.map(fromRow)[0];
  }

  /**
   * Claims a payment, with the right to settle it. A rejected payment may be claimed again.
   * @returns `isMine: false` with the existing sale; `offerPaid` when another payment has paid this offer
   */
  claim(sale: NewSale, limits: SpendLimits): Promise<ClaimOutcome> {
    return transaction(this.pool, async (client): Promise<ClaimOutcome> => {
      // The lock keeps the limits valid for concurrent claims.
      await lockClaims(client);
      const known = await client.query<SaleRow>({ ...findStatement, values: identityOf(sale) });
      const found = known.rows.map(fromRow)[0];
      if (found && found.state !== 'rejected') return { kind: 'sale', sale: found, isMine: false };
      if (await this.isOfferPaid(client, sale)) return { kind: 'offerPaid' };
      const exceeded = await this.exceeded(client, sale, limits);
      if (exceeded) return { kind: 'limited', limit: exceeded };
      return { kind: 'sale', sale: await this.insert(client, sale), isMine: true };
    });
  }

  /**
   * Whether another payment has paid the offer. A payer that signs again after a lost reply would otherwise pay twice.
   */
  private async isOfferPaid(client: TransactionClient, { offerHash }: NewSale): Promise<boolean> {
    const { rowCount } = await client.query({
      name: 'sale-offer',
      text: "SELECT FROM sales WHERE offer_hash = $1 AND state <> 'rejected' LIMIT 1",
      values: [offerHash],
    });
    return rowCount === 1;
  }

  private async exceeded(
    client: TransactionClient,
    { payer, priceUsd }: NewSale,
    { payerDayUsd, dayUsd, inProgress }: SpendLimits,
  ): Promise<ExceededLimit | undefined> {
    const { rows } = await client.query<{ own: boolean; total: boolean; open: number }>({
      name: 'sales-spent',
      text: `SELECT coalesce(sum(price_usd) FILTER (WHERE payer = $1), 0) + $3::numeric > $4::numeric AS own,
               coalesce(sum(price_usd), 0) + $3::numeric > $5::numeric AS total,
               (count(*) FILTER (WHERE state = 'settled' OR (state = 'claimed' AND lease_until > $6)))::int AS open
             FROM sales WHERE created_at > $2 AND state NOT IN ('rejected', 'refunded')`,
      values: [
        payer,
        new Date(this.clock.now() - dayMs),
        priceUsd,
        payerDayUsd,
        dayUsd,
        new Date(this.clock.now()),
      ],
    });
    const { own, total, open } = rows[0]!;
    if (open >= inProgress) return 'busy';
    if (own) return 'payer';
    return total ? 'total' : undefined;
  }

  private async insert(client: TransactionClient, sale: NewSale): Promise<Sale> {
    const nowMs = this.clock.now();
    const { rows } = await client.query<SaleRow>({
      name: 'sale-insert',
      text: `INSERT INTO sales AS s (id, scheme, network, asset, payer, nonce, operation, input_hash, offer_hash,
               purchase_kind, state, amount, cost, cost_usd, price_usd, payment, lease_until, check_at, settle_tries,
               created_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 'claimed', $11, $12, $13, $14, $15, $16, $16, 1, $17)
             ON CONFLICT (scheme, network, asset, payer, nonce) DO UPDATE SET
               operation = excluded.operation, input_hash = excluded.input_hash, offer_hash = excluded.offer_hash,
               purchase_kind = excluded.purchase_kind, state = 'claimed', amount = excluded.amount,
               cost = excluded.cost, cost_usd = excluded.cost_usd, price_usd = excluded.price_usd,
               payment = excluded.payment, lease_until = excluded.lease_until, check_at = excluded.check_at,
               settle_tries = s.settle_tries + 1, failure = NULL, checks = 0, version = s.version + 1,
               created_at = excluded.created_at
             RETURNING *`,
      values: [
        uuid(),
        ...identityOf(sale),
        sale.operation,
        sale.inputHash,
        sale.offerHash,
        sale.purchaseKind,
        String(sale.amountAtomic),
        String(sale.costAtomic),
        sale.costUsd,
        sale.priceUsd,
        JSON.stringify(sale.payment),
        new Date(nowMs + settleLeaseMs),
        new Date(nowMs),
      ],
    });
    return fromRow(rows[0]!);
  }

  /** Leases a claimed sale for settlement when no settlement of it is in progress. */
  async leaseSettlement({ id, version }: Sale): Promise<Sale | undefined> {
    const nowMs = this.clock.now();
    const { rows } = await this.pool.query<SaleRow>({
      name: 'sale-lease',
      text: `UPDATE sales SET lease_until = $3, check_at = $3, settle_tries = settle_tries + 1, version = version + 1
             WHERE id = $1 AND version = $2 AND state = 'claimed' AND (lease_until IS NULL OR lease_until <= $4)
             RETURNING *`,
      values: [id, version, new Date(nowMs + settleLeaseMs), new Date(nowMs)],
    });
    return rows.map(fromRow)[0];
  }

  /** Stores the outcome of a settlement. @returns undefined when another process has taken the lease */
  async settled(
    { id, version, checks }: Sale,
    outcome: Exclude<Settlement, { kind: 'elsewhere' }>,
  ): Promise<Sale | undefined> {
    const nowMs = this.clock.now();
    const state: SaleState = outcome.kind === 'unknown' ? 'claimed' : outcome.kind;
    const checkAt = {
      unknown: nextSaleCheck(checks, nowMs),
      settled: new Date(nowMs + openCheckMs),
      rejected: null,
    }[outcome.kind];
    const { rows } = await this.pool.query<SaleRow>({
      name: 'sale-settled',
      text: `UPDATE sales SET state = $3, transaction = coalesce($4, transaction), failure = $5, lease_until = NULL,
               check_at = $6, settled_at = CASE WHEN $3 = 'settled' THEN $7::timestamptz END,
               checks = CASE WHEN $3 = 'claimed' THEN checks + 1 ELSE 0 END, version = version + 1
             WHERE id = $1 AND version = $2 AND state = 'claimed' RETURNING *`,
      values: [
        id,
        version,
        state,
        outcome.kind === 'settled' ? outcome.transaction : null,
        outcome.kind === 'rejected' ? JSON.stringify(outcome.failure) : null,
        checkAt,
        new Date(nowMs),
      ],
    });
    if (rows[0]) this.hints.written();
    return rows.map(fromRow)[0];
  }

  /** Stores that another settlement made the payment, which is refunded. @returns undefined when the lease was lost */
  async settledElsewhere(
    { id, version }: Sale,
    { transaction: hash, amountAtomic }: { transaction: string; amountAtomic: bigint },
  ): Promise<Sale | undefined> {
    const { rows } = await this.pool.query<SaleRow>({
      name: 'sale-settled-elsewhere',
      text: `UPDATE sales SET state = 'refunding', transaction = $3, amount = $4, cost = least(cost, $4), refund_amount = $4,
               failure = $5, lease_until = NULL, check_at = $6, settled_at = $6, checks = 0, version = version + 1
             WHERE id = $1 AND version = $2 AND state = 'claimed' RETURNING *`,
      values: [
        id,
        version,
        hash,
        String(amountAtomic),
        JSON.stringify(settledElsewhere),
        new Date(this.clock.now()),
      ],
    });
    if (rows[0]) this.hints.written();
    return rows.map(fromRow)[0];
  }

  /** Leases a settled sale for executing its response, in one process at a time. @returns the end of the lease */
  async leaseResponse({ id }: Sale, leaseMs: number): Promise<Date | undefined> {
    const nowMs = this.clock.now();
    const until = new Date(nowMs + leaseMs);
    const { rowCount } = await this.pool.query({
      name: 'sale-lease-response',
      text: `UPDATE sales SET lease_until = $2
             WHERE id = $1 AND state = 'settled' AND (lease_until IS NULL OR lease_until <= $3)`,
      values: [id, until, new Date(nowMs)],
    });
    return rowCount === 1 ? until : undefined;
  }

  async endResponseLease({ id }: Sale, until: Date): Promise<void> {
    await this.pool.query({
      name: 'sale-end-response-lease',
      text: `UPDATE sales SET lease_until = NULL WHERE id = $1 AND state = 'settled' AND lease_until = $2`,
      values: [id, until],
    });
  }

  /** Stores that the response exists, which ends the sale. @returns false when the sale is not settled any more */
  async responded({ id }: Sale): Promise<boolean> {
    const { rowCount } = await this.pool.query({
      name: 'sale-responded',
      text: `UPDATE sales SET state = 'bought', lease_until = NULL, check_at = NULL, version = version + 1
             WHERE id = $1 AND state = 'settled'`,
      values: [id],
    });
    return rowCount === 1;
  }

  /** Stores that the provider has completed the purchase. The purchase is polled until it is final. */
  async bought({ id }: Sale): Promise<void> {
    await this.pool.query({
      name: 'sale-bought',
      text: `UPDATE sales SET state = 'bought', check_at = $2, version = version + 1
             WHERE id = $1 AND state = 'settled'`,
      values: [id, new Date(this.clock.now() + openCheckMs)],
    });
  }

  /**
   * Decides about a paid sale from its purchase: bought, to be refunded, or still open. The row lock excludes a
   * purchase claim during a refund, and the reverse.
   * @param failure the reason why nothing was bought, if a call has it; the sale then does not wait for a repeated call
   */
  decide({ id }: Sale, failure?: SaleFailure): Promise<Sale> {
    return transaction(this.pool, async (client) => {
      const locked = await client.query<SaleRow>({
        name: 'sale-lock',
        text: 'SELECT * FROM sales WHERE id = $1 FOR UPDATE',
        values: [id],
      });
      const sale = fromRow(locked.rows[0]!);
      const isOver = sale.state === 'bought' && sale.purchaseKind === responseKind;
      if (isOver || (sale.state !== 'settled' && sale.state !== 'bought')) return sale;
      // A separate statement, so that it reads purchases that were claimed before the row was locked.
      const { rows } = await client.query<{ status: PurchaseStatus }>({
        name: 'sale-purchase',
        text: 'SELECT status FROM purchases WHERE wallet = $1 AND kind = $2 AND reference = $3',
        values: [walletOf(sale), sale.purchaseKind, purchaseReferenceOf(sale)],
      });
      const status = rows[0]?.status;
      const nowMs = this.clock.now();
      const found = verdictOn(status, sale, nowMs);
      const verdict = status === undefined && failure ? 'not bought' : found;
      return this.conclude(client, sale, verdict, failure);
    });
  }

  private async conclude(
    client: TransactionClient,
    sale: Sale,
    verdict: ReturnType<typeof verdictOn>,
    failure: SaleFailure | undefined,
  ): Promise<Sale> {
    const isRefund = verdict === 'not bought' || verdict === 'returned';
    const nowMs = this.clock.now();
    const amount = isRefund ? refundOf(verdict, sale) : null;
    const state = isRefund ? 'refunding' : verdict === 'bought' ? 'bought' : sale.state;
    const checkAt = isRefund
      ? new Date(nowMs)
      : verdict === 'open'
        ? nextSaleCheck(sale.checks + 3, nowMs)
        : null;
    const { rows } = await client.query<SaleRow>({
      name: 'sale-conclude',
      text: `UPDATE sales SET state = $2, refund_amount = $3, failure = $4, check_at = $5,
               checks = CASE WHEN $2 = 'refunding' THEN 0 ELSE checks + 1 END, version = version + 1
             WHERE id = $1 RETURNING *`,
      values: [
        sale.id,
        state,
        amount === null ? null : String(amount),
        isRefund ? JSON.stringify(failure ?? failures[verdict]) : null,
        checkAt,
      ],
    });
    return fromRow(rows[0]!);
  }

  /** Stores the authorization of a refund before it is signed. @returns undefined when the sale has changed */
  async authorizeRefund({ id, version }: Sale, refund: RefundAuthorization): Promise<Sale | undefined> {
    const { rows } = await this.pool.query<SaleRow>({
      name: 'sale-authorize-refund',
      text: `UPDATE sales SET refund = $3, version = version + 1
             WHERE id = $1 AND version = $2 AND state = 'refunding' RETURNING *`,
      values: [id, version, JSON.stringify(refund)],
    });
    return rows.map(fromRow)[0];
  }

  async refundEnded(
    { id, version }: Sale,
    state: 'refunded' | 'stuck',
    transactionId: string | null,
  ): Promise<boolean> {
    const { rowCount } = await this.pool.query({
      name: 'sale-refund-ended',
      text: `UPDATE sales SET state = $3, refund_transaction = $4, check_at = NULL, version = version + 1
             WHERE id = $1 AND version = $2 AND state = 'refunding'`,
      values: [id, version, state, transactionId],
    });
    return rowCount === 1;
  }

  async postpone({ id, version, checks }: Sale): Promise<void> {
    await this.pool.query({
      name: 'sale-postpone',
      text: 'UPDATE sales SET check_at = $3, checks = checks + 1 WHERE id = $1 AND version = $2',
      values: [id, version, nextSaleCheck(checks, this.clock.now())],
    });
  }

  /** Leases due sales. Until the lease ends, no other replica leases them. */
  async takeDue(leaseMs: number, limit: number): Promise<Sale[]> {
    const nowMs = this.clock.now();
    const { rows } = await this.pool.query<SaleRow>({
      name: 'sales-due',
      text: `UPDATE sales SET check_at = $2 WHERE id = ANY(ARRAY(
               SELECT id FROM sales WHERE check_at <= $1 ORDER BY check_at LIMIT $3 FOR UPDATE SKIP LOCKED))
             RETURNING *`,
      values: [new Date(nowMs), new Date(nowMs + leaseMs), limit],
    });
    return rows.map(fromRow);
  }

  async nextDueMs(): Promise<number | null> {
    const text = 'SELECT min(check_at) AS at FROM sales WHERE check_at IS NOT NULL';
    const { rows } = await this.pool.query<{ at: Date | null }>({ name: 'sales-next-due', text });
    return rows[0]!.at?.getTime() ?? null;
  }

  /** Counts refunds that failed permanently, up to a maximum. */
  async countStuck(): Promise<number> {
    const text = `SELECT count(*) AS count FROM (SELECT FROM sales WHERE state = 'stuck' LIMIT ${mostCounted}) AS stuck`;
    const { rows } = await this.pool.query<{ count: string }>({ name: 'sales-stuck', text });
    return Number(rows[0]!.count);
  }

  /** Returns the id of the purchase of a sale; undefined before the purchase is claimed. */
  async purchaseIdOf(sale: Sale): Promise<string | undefined> {
    const { rows } = await this.pool.query<{ id: string }>({
      name: 'sale-purchase-id',
      text: 'SELECT id FROM purchases WHERE wallet = $1 AND kind = $2 AND reference = $3',
      values: [walletOf(sale), sale.purchaseKind, purchaseReferenceOf(sale)],
    });
    return rows[0]?.id;
  }
}

const failures: Record<'not bought' | 'returned', SaleFailure> = {
  'not bought': {
    code: 'PURCHASE_REFUSED',
    message: 'Nothing was bought. The payment is refunded.',
    details: { reason: 'NOT_BOUGHT' },
  },
  returned: {
    code: 'PURCHASE_REFUSED',
    message: 'The provider cancelled the purchase. Its price is refunded.',
    details: { reason: 'REFUNDED' },
  },
};

const findStatement = {
  name: 'sale-find',
  text: `SELECT * FROM sales WHERE scheme = $1 AND network = $2 AND asset = $3 AND payer = $4 AND nonce = $5`,
};

const identityOf = ({ scheme, network, asset, payer, nonce }: PaymentIdentity): string[] => [
  scheme,
  network,
  asset,
  payer,
  nonce,
];

function fromRow(row: SaleRow): Sale {
  return {
    id: row.id,
    scheme: row.scheme,
    network: row.network,
    asset: row.asset,
    payer: row.payer,
    nonce: row.nonce,
    operation: row.operation,
    inputHash: row.input_hash,
    offerHash: row.offer_hash,
    purchaseKind: row.purchase_kind,
    state: row.state,
    amountAtomic: BigInt(row.amount),
    costAtomic: BigInt(row.cost),
    costUsd: row.cost_usd,
    priceUsd: row.price_usd,
    payment: row.payment,
    settleTries: row.settle_tries,
    transaction: row.transaction,
    failure: row.failure,
    refundAtomic: row.refund_amount === null ? null : BigInt(row.refund_amount),
    refund: row.refund,
    refundTransaction: row.refund_transaction,
    checks: row.checks,
    version: row.version,
    createdAtMs: row.created_at.getTime(),
    settledAtMs: row.settled_at?.getTime() ?? null,
    leaseUntilMs: row.lease_until?.getTime() ?? null,
  };
}
