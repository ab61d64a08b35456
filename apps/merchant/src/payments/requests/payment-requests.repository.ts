import { Injectable } from '@nestjs/common';
import type { Conversion, PaymentRequestStatus } from '@tollbridge/contracts';
import { Database, transaction } from '@tollbridge/database';
import type { ListPosition } from '@tollbridge/rpc';
import type { Storefront } from '../../settings/storefront';
import type { Pool, PoolClient } from 'pg';
import type { Attempt } from '../attempts/attempt';
import { attemptOf, type AttemptRow } from '../attempts/attempt-row';
import type { PaymentRequest } from '../payment';

interface RequestRow {
  id: string;
  paylink_id: string | null;
  wallet: string;
  amount: string;
  conversion: Conversion | null;
  currency: string;
  chain: string;
  description: string;
  metadata: Record<string, unknown> | null;
  receive_address: string | null;
  success_url: string | null;
  cancel_url: string | null;
  expires_at: Date | null;
  canceled_at: Date | null;
  seen_payments: number;
  completed_payments: number;
  created_at: Date;
  updated_at: Date;
}

export interface RequestFilter {
  wallet: string;
  status: PaymentRequestStatus | undefined;
  fromMs: number | undefined;
  toMs: number | undefined;
}

/** The sums of one currency on one chain, by period. */
export interface StatsRow {
  currency: string;
  chain: string;
  periods: Record<
    'today' | 'week' | 'month',
    { payments: number; unpriced: number; amount: bigint; usd: string }
  >;
}

/** All columns are null for a merchant without settings. */
interface StorefrontRow {
  store_name: string | null;
  store_color: string | null;
  logo_hash: string | null;
  embed_origins: string[] | null;
}

const abandonedAtOnce = 1_000;

/** A payment request with the storefront from its merchant's current settings, and its newest attempt. */
export type NamedPaymentRequest = PaymentRequest & Storefront & { attempt: Attempt | undefined };

/**
 * The only file that reads and writes payment requests. It also reads the sums of payments. Uses SQL for row locks,
 * sums, and the benchmark "create a payment request".
 */
@Injectable()
export class PaymentRequestsRepository {
  private readonly pool: Pool;

  constructor({ pool }: Database) {
    this.pool = pool;
  }

  /** Inserts a request. Does not change a checkout of a PayLink that the same page has started before. */
  async insert(request: PaymentRequest, also: (client: PoolClient) => Promise<void>): Promise<void> {
    await transaction(this.pool, async (client) => {
      await client.query({
        name: 'payment-request-insert',
        text: `INSERT INTO payment_requests (id, wallet, amount, currency, chain, description, metadata, receive_address,
                 success_url, expires_at, created_at, updated_at, cancel_url, paylink_id, conversion)
               VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $11, $12, $13, $14) ON CONFLICT (id) DO NOTHING`,
        values: [
          request.id,
          request.wallet,
          String(request.amount),
          request.currency,
          request.chain,
          request.description,
          jsonOrNull(request.metadata),
          request.receiveAddress,
          request.successUrl,
          dateOrNull(request.expiresAtMs),
          new Date(request.createdAtMs),
          request.cancelUrl,
          request.paylinkId,
          jsonOrNull(request.conversion),
        ],
      });
      await also(client);
    });
  }

  /** A request with the storefront of its merchant. */
  async find(id: string): Promise<NamedPaymentRequest | undefined> {
    const { rows } = await this.pool.query<RequestRow & StorefrontRow & { attempt: AttemptRow | null }>({
      name: 'payment-request-by-id',
      text: `SELECT ${requestColumns}, s.store_name, s.store_color, s.logo_hash, s.embed_origins,
          CASE WHEN a.request_id IS NOT NULL THEN to_json(a) END AS attempt
        FROM ${requestsWithLinks} LEFT JOIN settings s ON s.wallet = r.wallet
          LEFT JOIN payment_attempts a ON a.request_id = r.id WHERE r.id = $1`,
      values: [id],
    });
    if (!rows[0]) return undefined;
    const { store_name: storeName, store_color: storeColor, logo_hash: logoHash } = rows[0];
    const embedOrigins = rows[0].embed_origins ?? [];
    const attempt = rows[0].attempt === null ? undefined : attemptOf(rows[0].attempt);
    return { ...fromRow(rows[0]), storeName, storeColor, logoHash, embedOrigins, attempt };
  }

  /** Requests that the merchant has created, newest first, starting behind the position `before`. */
  async list(
    { wallet, status, fromMs, toMs }: RequestFilter,
    { nowMs, limit, before }: { nowMs: number; limit: number; before: ListPosition | undefined },
  ): Promise<PaymentRequest[]> {
    const values: unknown[] = [wallet, limit];
    const given = (value: unknown): string => `$${values.push(value)}`;
    const time = (ms: number): string => given(new Date(ms));
    const conditions = [
      'wallet = $1',
      'paylink_id IS NULL',
      ...(status === undefined ? [] : [statusCondition(status, () => time(nowMs))]),
      ...(fromMs === undefined ? [] : [`created_at >= ${time(fromMs)}`]),
      ...(toMs === undefined ? [] : [`created_at < ${time(toMs)}`]),
      ...(before ? [`(created_at, id) < (${time(before.atMs)}, ${given(before.id)}::uuid)`] : []),
    ];
    const { rows } = await this.pool.query<RequestRow>(
      `SELECT * FROM payment_requests WHERE ${conditions.join(' AND ')}
       ORDER BY created_at DESC, id DESC LIMIT $2`,
      values,
    );
    return rows.map(fromRow);
  }

  /**
   * Sets the receiving address of a request without one.
   * @returns the request, with the address that this or an earlier call has set
   */
  async fixReceiver(
    id: string,
    receiveAddress: string,
    nowMs: number,
    also: (client: PoolClient, after: PaymentRequest) => Promise<void> = async () => undefined,
  ): Promise<PaymentRequest> {
    return transaction(this.pool, async (client) => {
      const request = (await lockRequest(client, id))!;
      if (request.receiveAddress === null)
        await client.query({
          name: 'payment-request-receiver',
          text: 'UPDATE payment_requests SET receive_address = $2, updated_at = $3 WHERE id = $1',
          values: [id, receiveAddress, new Date(nowMs)],
        });
      const after =
        request.receiveAddress === null ? { ...request, receiveAddress, updatedAtMs: nowMs } : request;
      await also(client, after);
      return after;
    });
  }

  /**
   * Locks a request and cancels it if `decide` returns true.
   * @param also makes further writes in the same transaction; it receives the request after the change
   */
  async cancel(
    { id, wallet }: { id: string; wallet: string },
    nowMs: number,
    {
      decide,
      also,
    }: {
      decide: (request: PaymentRequest | undefined) => boolean;
      also: (client: PoolClient, after: PaymentRequest, isCanceled: boolean) => Promise<void>;
    },
  ): Promise<void> {
    await transaction(this.pool, async (client) => {
      const request = await lockRequest(client, id);
      const own = request?.wallet === wallet ? request : undefined;
      const isCanceled = decide(own);
      if (isCanceled)
        await client.query({
          name: 'payment-request-cancel',
          text: 'UPDATE payment_requests SET canceled_at = $2, updated_at = $2 WHERE id = $1',
          values: [id, new Date(nowMs)],
        });
      const after = isCanceled ? { ...own!, canceledAtMs: nowMs, updatedAtMs: nowMs } : own!;
      await also(client, after, isCanceled);
    });
  }

  /** Deletes unpaid checkouts of PayLinks that were created in this period, a thousand at a time. */
  async deleteAbandoned(fromMs: number, toMs: number): Promise<void> {
    for (let deleted: number | null = abandonedAtOnce; deleted === abandonedAtOnce;)
      ({ rowCount: deleted } = await this.pool.query(
        `DELETE FROM payment_requests WHERE id IN (
          SELECT id FROM payment_requests r WHERE paylink_id IS NOT NULL AND created_at BETWEEN $1 AND $2
            AND NOT EXISTS (SELECT FROM payments p WHERE p.request_id = r.id) LIMIT $3)`,
        [new Date(fromMs), new Date(toMs), abandonedAtOnce],
      ));
  }

  /** Sums by period, from the daily sums of at most 37 days for each currency. */
  async stats(wallet: string, starts: { today: string; week: string; month: string }): Promise<StatsRow[]> {
    const { rows } = await this.pool.query<
      Record<string, string | number> & { currency: string; chain: string }
    >({
      name: 'payment-stats',
      text: `SELECT currency, chain, ${['today', 'week', 'month'].map(periodColumns).join(', ')}
             FROM payment_days WHERE wallet = $1 AND day >= least($3::date, $4::date)
             GROUP BY currency, chain ORDER BY currency, chain`,
      values: [wallet, starts.today, starts.week, starts.month],
    });
    return rows.map((row) => {
      const period = (name: string) => ({
        payments: Number(row[`${name}_payments`]),
        unpriced: Number(row[`${name}_unpriced`]),
        amount: BigInt(row[`${name}_amount`]!),
        usd: String(row[`${name}_usd`]),
      });
      const periods = { today: period('today'), week: period('week'), month: period('month') };
      return { currency: row.currency, chain: row.chain, periods };
    });
  }
}

// A checkout of a PayLink closes with its link. When columns share a name, the driver returns the last one.
const requestsWithLinks = 'payment_requests r LEFT JOIN paylinks l ON l.id = r.paylink_id';
const requestColumns = `r.*, least(r.expires_at, l.expires_at) AS expires_at, coalesce(r.canceled_at, l.closed_at,
  CASE WHEN l.payment_count >= l.max_payments THEN l.updated_at END) AS canceled_at`;

/** The stored part of a request's status. `open` means pending or expired, which the clock decides. */
export const requestStage = `(CASE WHEN completed_payments > 0 THEN 'completed' WHEN seen_payments > 0 THEN 'processing'
  WHEN canceled_at IS NOT NULL THEN 'canceled' ELSE 'open' END)`;

/** The condition of a status, equal to `requestStatus`. @param now returns the parameter of the current time */
function statusCondition(status: PaymentRequestStatus, now: () => string): string {
  if (status === 'pending')
    return `${requestStage} = 'open' AND (expires_at IS NULL OR expires_at > ${now()})`;
  if (status === 'expired') return `${requestStage} = 'open' AND expires_at <= ${now()}`;
  return `${requestStage} = '${status}'`;
}

/** The sum columns of one period. Its first day is parameter `index + 2`. */
function periodColumns(name: string, index: number): string {
  const sums = { payments: 'payments', unpriced: 'unpriced', amount: 'amount', usd: 'value_usd' };
  return Object.entries(sums)
    .map(
      ([as, column]) =>
        `coalesce(sum(${column}) FILTER (WHERE day >= $${index + 2}::date), 0) AS ${name}_${as}`,
    )
    .join(', ');
}

/** Locks a request. Every change that depends on its state requires this lock. */
export async function lockRequest(client: PoolClient, id: string): Promise<PaymentRequest | undefined> {
  const [request] = await lockRequests(client, [id]);
  return request;
}

/** Locks several requests, by id. */
export async function lockRequests(client: PoolClient, ids: readonly string[]): Promise<PaymentRequest[]> {
  const { rows } = await client.query<RequestRow>({
    name: 'payment-requests-lock',
    text: `SELECT ${requestColumns} FROM ${requestsWithLinks} WHERE r.id = ANY($1::uuid[]) ORDER BY r.id FOR UPDATE OF r`,
    values: [ids],
  });
  return rows.map(fromRow);
}

/** The wallet of a request. It never changes, so no lock is needed. */
export async function walletOfRequest(client: PoolClient, id: string): Promise<string> {
  const { rows } = await client.query<{ wallet: string }>({
    name: 'payment-request-wallet',
    text: 'SELECT wallet FROM payment_requests WHERE id = $1',
    values: [id],
  });
  return rows[0]!.wallet;
}

/** Stores the amount and rate that a new payment of a locked request is fixed at. */
export async function saveConversion(
  client: PoolClient,
  id: string,
  { amount, conversion }: Pick<PaymentRequest, 'amount' | 'conversion'>,
): Promise<void> {
  await client.query({
    name: 'payment-request-rate',
    text: 'UPDATE payment_requests SET amount = $2, conversion = $3 WHERE id = $1',
    values: [id, String(amount), jsonOrNull(conversion)],
  });
}

/** A change of the payment counts of a request. */
export interface CountChange {
  id: string;
  seen: number;
  completed: number;
  updatedAtMs: number;
}

/** Applies changes of counts to locked requests. */
export async function changeCounts(client: PoolClient, changes: readonly CountChange[]): Promise<void> {
  await client.query({
    name: 'payment-requests-count',
    text: `UPDATE payment_requests r SET seen_payments = r.seen_payments + m.seen,
             completed_payments = r.completed_payments + m.completed, updated_at = greatest(r.updated_at, m.updated_at)
           FROM (SELECT id, sum(seen) AS seen, sum(completed) AS completed, max(updated_at) AS updated_at
                 FROM unnest($1::uuid[], $2::int[], $3::int[], $4::timestamptz[]) AS m (id, seen, completed, updated_at)
                 GROUP BY id) m
           WHERE r.id = m.id`,
    values: [
      changes.map(({ id }) => id),
      changes.map(({ seen }) => seen),
      changes.map(({ completed }) => completed),
      changes.map(({ updatedAtMs }) => new Date(updatedAtMs)),
    ],
  });
}

const jsonOrNull = (value: object | null): string | null => value && JSON.stringify(value);
const dateOrNull = (ms: number | null): Date | null => (ms === null ? null : new Date(ms));

function fromRow(row: RequestRow): PaymentRequest {
  return {
    id: row.id,
    paylinkId: row.paylink_id,
    wallet: row.wallet,
    amount: BigInt(row.amount),
    conversion: row.conversion,
    currency: row.currency,
    chain: row.chain,
    description: row.description,
    metadata: row.metadata,
    receiveAddress: row.receive_address,
    successUrl: row.success_url,
    cancelUrl: row.cancel_url,
    expiresAtMs: row.expires_at?.getTime() ?? null,
    canceledAtMs: row.canceled_at?.getTime() ?? null,
    seenPayments: row.seen_payments,
    completedPayments: row.completed_payments,
    createdAtMs: row.created_at.getTime(),
    updatedAtMs: row.updated_at.getTime(),
  };
}
