import { Injectable } from '@nestjs/common';
import type {
  Conversion,
  ErrorCode,
  ExecutionStrategy,
  OrderChanged,
  OrderStatus,
  PaymentStatus,
} from '@tollbridge/contracts';
import type { ListPosition } from '@tollbridge/rpc';
import { Database, transaction, type TransactionClient } from '@tollbridge/database';
import { randomUUID } from 'node:crypto';
import type { Pool, PoolClient } from 'pg';
import { lockOrder } from '../orders/orders.repository';
import type { OrderToPay } from './attempts/placed-order';
import { closedBecause, requestStatus, stateAfter, type PaymentRequest, type PaymentState } from './payment';
import {
  lockRequest,
  lockRequests,
  changeCounts,
  saveConversion,
  walletOfRequest,
  type CountChange,
} from './requests/payment-requests.repository';

/** The option that a payer chose. Executions of a request with the same choice share one payment. */
export interface Choice {
  fromChain: string;
  fromToken: string;
  strategy: ExecutionStrategy;
  /** Empty for a direct payment without a given address. */
  payerAddress: string;
}

/** The amount that the merchant receives, and its conversion from a price. */
export type PayAmount = Pick<PaymentRequest, 'amount' | 'conversion'>;

/** A claimed payment, which may have no order yet. */
export interface PaymentClaim extends Choice {
  id: string;
  requestId: string;
  /** The amount that the merchant receives, fixed when the payment was claimed. */
  amount: bigint;
  /** Identifies the process that creates the order. Another process may take over when the lease ends. */
  claim: string;
}

export interface PlacedOrder {
  toPay: OrderToPay;
  estimatedSeconds: number;
}

/** The reason that no order could be created. */
export interface Rejection {
  code: ErrorCode;
  message: string;
  details?: unknown;
}

/** A payment with its order. */
export interface Payment extends Choice, PaymentState {
  id: string;
  requestId: string;
  wallet: string;
  amount: bigint;
  /** Null for a payment of an amount of the token. */
  conversion: Conversion | null;
  currency: string;
  chain: string;
  description: string;
  orderId: string;
  order: PlacedOrder;
  createdAtMs: number;
}

export type Execution =
  /** The caller must create the order. */
  | { state: 'claimed'; claim: PaymentClaim }
  /** Another process is creating the order. */
  | { state: 'running'; id: string }
  | { state: 'placed'; payment: Payment }
  | { state: 'tooMany' }
  /** The request cannot be paid any more. */
  | { state: 'closed'; reason: string };

/** The outcome of a payment that another process started. */
export type Outcome =
  | { kind: 'placed'; payment: Payment }
  | { kind: 'rejected'; rejection: Rejection }
  | { kind: 'running' | 'abandoned' };

export interface PaymentFilter {
  wallet: string;
  status: PaymentStatus | undefined;
  currency: string | undefined;
  chain: string | undefined;
  fromMs: number | undefined;
  toMs: number | undefined;
}

export interface Limits {
  /** The maximum number of open payments of one request. */
  open: number;
  /** The maximum number of payments of one request within a day. */
  all: number;
  /** The duration of the claim on a new payment. */
  leaseMs: number;
}

interface PaymentRow {
  id: string;
  request_id: string;
  wallet: string;
  amount: string;
  conversion: Conversion | null;
  currency: string;
  chain: string;
  description: string;
  from_chain: string;
  from_token: string;
  strategy: ExecutionStrategy;
  payer_address: string;
  claim: string;
  lease_until: Date | null;
  refusal: Rejection | null;
  order_id: string | null;
  order_reply: OrderToPay | null;
  estimated_seconds: number | null;
  order_status: OrderStatus;
  is_seen: boolean;
  status: PaymentStatus;
  pay_tx: string | null;
  paid_by: string | null;
  settle_tx: string | null;
  settled_amount: string | null;
  settled_value: string | null;
  failure_reason: string | null;
  counted_on: string | null;
  order_version: number | null;
  is_late: boolean | null;
  created_at: Date;
  updated_at: Date;
}

// Dates are read as text, because the driver parses a date in the machine's time zone. Payer, lateness and version are
// read from the order.
const columns = `*, counted_on::text AS counted_on,
  (SELECT o.data->>'paid_by' FROM orders o WHERE o.id = order_id) AS paid_by,
  (SELECT (o.data->>'late')::boolean FROM orders o WHERE o.id = order_id) AS is_late,
  (SELECT o.version FROM orders o WHERE o.id = order_id) AS order_version`;

/**
 * The only file that reads and writes payments and their sums. Uses SQL for row locks in a fixed order, and to update
 * sums in the same statement.
 */
@Injectable()
export class PaymentsRepository {
  private readonly pool: Pool;

  constructor({ pool }: Database) {
    this.pool = pool;
  }

  /**
   * Finds the payment of a choice, or claims a new one. The lock on the request serialises executions, so that
   * concurrent ones claim one payment.
   * @param convert returns the amount that a new payment is fixed at
   */
  async execute(
    requestId: string,
    choice: Choice,
    { limits, convert }: { limits: Limits; convert: (request: PaymentRequest) => PayAmount },
    nowMs: number,
  ): Promise<Execution> {
    return transaction(this.pool, async (client) => {
      const request = (await lockRequest(client, requestId))!;
      const reason = closedBecause(requestStatus(request, nowMs));
      if (reason) return { state: 'closed', reason };
      const found = await findOpen(client, request.id, choice, nowMs);
      if (found?.order_id) return { state: 'placed', payment: fromRow(found) };
      const isLeased = found?.lease_until && found.lease_until.getTime() > nowMs;
      if (found && isLeased) return { state: 'running', id: found.id };
      const claim = randomUUID();
      const leaseUntil = new Date(nowMs + limits.leaseMs);
      if (found) {
        await client.query({
          name: 'payment-take-over',
          text: 'UPDATE payments SET claim = $2, lease_until = $3 WHERE id = $1',
          values: [found.id, claim, leaseUntil],
        });
        const amount = BigInt(found.amount);
        return { state: 'claimed', claim: { ...choice, id: found.id, requestId, amount, claim } };
      }
      await deleteRejected(client, request.id, nowMs);
      // All payers share the payment of a choice without a payer address, so it needs no limit.
      const isShared = choice.payerAddress === '';
      if (!isShared && (await hasTooMany(client, request.id, limits, nowMs))) return { state: 'tooMany' };
      const id = randomUUID();
      const converted = convert(request);
      if (converted.conversion) await saveConversion(client, request.id, converted);
      await client.query({
        name: 'payment-insert',
        text: insertStatement,
        values: [
          id,
          request.id,
          request.wallet,
          String(converted.amount),
          request.currency,
          request.chain,
          request.description,
          choice.fromChain,
          choice.fromToken,
          choice.strategy,
          choice.payerAddress,
          claim,
          leaseUntil,
          new Date(nowMs),
          converted.conversion && JSON.stringify(converted.conversion),
        ],
      });
      return { state: 'claimed', claim: { ...choice, id, requestId, amount: converted.amount, claim } };
    });
  }

  /**
   * Stores the created order, and applies earlier events of the order. Undefined when the claim was taken over.
   * @param notify runs in the same transaction
   */
  async place(
    { id, requestId, claim }: PaymentClaim,
    { toPay, estimatedSeconds }: PlacedOrder,
    nowMs: number,
    notify: (client: PoolClient, changes: readonly Followed[], nowMs: number) => Promise<void>,
  ): Promise<Payment | undefined> {
    return transaction(this.pool, async (client) => {
      const wallet = await walletOfRequest(client, requestId);
      // Event handlers lock this row too, so one of the two transactions sees the changes of the other. As in the
      // handlers, the order is locked before the request.
      const order = await lockOrder(client, toPay.order_id, wallet);
      const request = (await lockRequest(client, requestId))!;
      const { rows } = await client.query<PaymentRow>({
        name: 'payment-place',
        text: `UPDATE payments SET order_id = $3, order_reply = $4, order_expires_at = $5, estimated_seconds = $6,
                 lease_until = NULL, refusal = NULL, updated_at = $7
               WHERE id = $1 AND claim = $2 AND order_id IS NULL RETURNING ${columns}`,
        values: [
          id,
          claim,
          toPay.order_id,
          JSON.stringify(toPay),
          new Date(toPay.expires_at),
          estimatedSeconds,
          new Date(nowMs),
        ],
      });
      if (!rows[0]) return undefined;
      const placed = fromRow(rows[0]);
      await notify(client, [{ before: placed, payment: placed, request }], nowMs);
      // Events may have arrived before the payment had its order.
      if (!order) return placed;
      const followed = await followAll(client, [placed], [order]);
      const changed = followed.filter(({ before, payment }) => payment.status !== before.status);
      await notify(client, changed, nowMs);
      return followed[0]!.payment;
    });
  }

  /** Stores the reason that no order could be created, for processes that wait for it. The next execution retries. */
  async reject({ id, claim }: PaymentClaim, rejection: Rejection, nowMs: number): Promise<void> {
    await this.pool.query({
      name: 'payment-reject',
      text: `UPDATE payments SET refusal = $3, lease_until = NULL, updated_at = $4
             WHERE id = $1 AND claim = $2 AND order_id IS NULL`,
      values: [id, claim, JSON.stringify(rejection), new Date(nowMs)],
    });
  }

  /** Ends the lease after an unknown outcome, so that the next execution retries with the same idempotency key. */
  async release({ id, claim }: PaymentClaim, nowMs: number): Promise<void> {
    await this.pool.query({
      name: 'payment-release',
      text: 'UPDATE payments SET lease_until = $3 WHERE id = $1 AND claim = $2 AND order_id IS NULL',
      values: [id, claim, new Date(nowMs)],
    });
  }

  async outcome(id: string, nowMs: number): Promise<Outcome> {
    const { rows } = await this.pool.query<PaymentRow>({
      name: 'payment-outcome',
      text: `SELECT ${columns} FROM payments WHERE id = $1`,
      values: [id],
    });
    const row = rows[0];
    if (!row) return { kind: 'abandoned' };
    if (row.order_id) return { kind: 'placed', payment: fromRow(row) };
    if (row.refusal) return { kind: 'rejected', rejection: row.refusal };
    return { kind: row.lease_until && row.lease_until.getTime() > nowMs ? 'running' : 'abandoned' };
  }

  /** Claims payments of processes that died before the order was created. */
  async takeAbandoned(nowMs: number, limit: number, leaseMs: number): Promise<PaymentClaim[]> {
    const { rows } = await this.pool.query<PaymentRow>({
      name: 'payments-abandoned',
      text: `UPDATE payments SET claim = gen_random_uuid(), lease_until = $2 WHERE id = ANY(ARRAY(
               SELECT id FROM payments WHERE order_id IS NULL AND lease_until <= $1
               ORDER BY lease_until LIMIT $3 FOR UPDATE SKIP LOCKED))
             RETURNING ${columns}`,
      values: [new Date(nowMs), new Date(nowMs + leaseMs), limit],
    });
    return rows.map((row) => {
      const amount = BigInt(row.amount);
      return { ...choiceOf(row), id: row.id, requestId: row.request_id, amount, claim: row.claim };
    });
  }

  find(id: string): Promise<Payment | undefined> {
    return findPayment(this.pool, id);
  }

  /** The most advanced payment of a request: a completed one, then a seen one, then the newest. */
  async findFurthest(requestId: string): Promise<Payment | undefined> {
    const { rows } = await this.pool.query<PaymentRow>({
      name: 'payment-furthest',
      text: `SELECT ${columns} FROM payments WHERE request_id = $1 AND order_id IS NOT NULL
             ORDER BY status = 'completed' DESC, is_seen DESC, order_status = 'settling' DESC, created_at DESC, id DESC
             LIMIT 1`,
      values: [requestId],
    });
    return rows[0] && fromRow(rows[0]);
  }

  /** Payments that match the filter, newest first, starting behind the position `before`. */
  async list(filter: PaymentFilter, limit: number, before?: ListPosition): Promise<Payment[]> {
    const createdAt = before === undefined ? null : new Date(before.atMs);
    const { rows } = await this.pool.query<PaymentRow>({
      text: `SELECT ${columns} FROM payments WHERE ${filterText}
               AND ($7::timestamptz IS NULL OR (created_at, id) < ($7, $8::uuid))
             ORDER BY created_at DESC, id DESC LIMIT $9`,
      values: [...filterValues(filter), createdAt, before?.id ?? null, limit],
    });
    return rows.map(fromRow);
  }

  /** The number of matches, at most `most`, because an exact count of many rows is too slow. */
  async count(filter: PaymentFilter, most: number): Promise<number> {
    const { rows } = await this.pool.query<{ count: number }>({
      text: `SELECT count(*)::int AS count FROM (SELECT FROM payments WHERE ${filterText} LIMIT $7) found`,
      values: [...filterValues(filter), most],
    });
    return rows[0]!.count;
  }
}

/**
 * Applies order events to the payments of these orders. The caller's transaction has locked the rows of the orders.
 * Ignores orders without a payment.
 * @param orders in the order of their changes; an order may occur several times
 * @returns the change that each event makes to each payment
 */
export async function followOrdersOfPayments(
  client: PoolClient,
  orders: readonly OrderChanged[],
): Promise<Followed[]> {
  if (orders.length === 0) return [];
  const { rows } = await client.query<PaymentRow>({
    name: 'payments-by-order',
    text: `SELECT ${columns} FROM payments WHERE order_id = ANY($1::uuid[])`,
    values: [[...new Set(orders.map(({ order_id: id }) => id))]],
  });
  return rows.length === 0 ? [] : followAll(client, rows.map(fromRow), orders);
}

/** Finds a payment that has an order. */
export async function findPayment(
  client: TransactionClient | Pool,
  id: string,
): Promise<Payment | undefined> {
  const { rows } = await client.query<PaymentRow>({
    name: 'payment-by-id',
    text: `SELECT ${columns} FROM payments WHERE id = $1 AND order_id IS NOT NULL`,
    values: [id],
  });
  return rows[0] && fromRow(rows[0]);
}

/** Locks those requests of the orders that are checkouts of PayLinks. Call it before the links are locked. */
export async function lockCheckouts(
  client: TransactionClient,
  orderIds: readonly string[],
): Promise<{ orderId: string; linkId: string }[]> {
  const { rows } = await client.query<{ orderId: string; linkId: string }>({
    name: 'payment-checkouts-lock',
    text: `SELECT p.order_id AS "orderId", r.paylink_id AS "linkId" FROM payments p
           JOIN payment_requests r ON r.id = p.request_id
           WHERE p.order_id = ANY($1::uuid[]) AND r.paylink_id IS NOT NULL ORDER BY r.id FOR UPDATE OF r`,
    values: [orderIds],
  });
  return rows;
}

/** The newest payments of a request, at most `most`. */
export async function newestPaymentsOf(
  client: TransactionClient,
  requestId: string,
  most: number,
): Promise<Payment[]> {
  const { rows } = await client.query<PaymentRow>({
    name: 'payments-by-request',
    text: `SELECT ${columns} FROM payments WHERE request_id = $1 AND order_id IS NOT NULL
           ORDER BY created_at DESC, id DESC LIMIT $2`,
    values: [requestId, most],
  });
  return rows.map(fromRow);
}

export interface Followed {
  before: PaymentState;
  payment: Payment;
  request: PaymentRequest;
}

/** Updates payments, requests and sums together, so that they stay consistent. */
async function followAll(
  client: PoolClient,
  payments: readonly Payment[],
  orders: readonly OrderChanged[],
): Promise<Followed[]> {
  const ids = new Set(payments.map(({ requestId }) => requestId));
  const requests = new Map((await lockRequests(client, [...ids])).map((request) => [request.id, request]));
  const latest = new Map(payments.map((payment) => [payment.orderId, payment]));
  const followed = orders.flatMap((order) => {
    const before = latest.get(order.order_id);
    if (!before) return [];
    const payment: Payment = { ...before, ...stateAfter(before, order) };
    latest.set(order.order_id, payment);
    return [{ before, payment, request: requests.get(payment.requestId)! }];
  });
  await savePayments(client, [...latest.values()]);
  await changeCounts(client, followed.map(countChangeOf));
  await addToDays(
    client,
    followed.flatMap(({ before, payment }) => [...sumsOf(before, -1), ...sumsOf(payment, 1)]),
  );
  await addToPriceDays(
    client,
    followed.flatMap(({ before, payment }) => [...priceSumsOf(before, -1), ...priceSumsOf(payment, 1)]),
  );
  return followed;
}

const countChangeOf = ({ before, payment }: Followed): CountChange => ({
  id: payment.requestId,
  seen: Number(payment.isSeen) - Number(before.isSeen),
  completed: Number(payment.status === 'completed') - Number(before.status === 'completed'),
  updatedAtMs: payment.updatedAtMs,
});

async function savePayments(client: PoolClient, payments: readonly Payment[]): Promise<void> {
  const rows = payments.map((payment) => ({
    id: payment.id,
    status: payment.status,
    order_status: payment.orderStatus,
    is_seen: payment.isSeen,
    pay_tx: payment.payTx,
    settle_tx: payment.settleTx,
    settled_amount: payment.settledAmount === null ? null : String(payment.settledAmount),
    settled_value: payment.settledValueUsd,
    failure_reason: payment.failureReason,
    counted_on: payment.countedOn,
    updated_at: new Date(payment.updatedAtMs),
  }));
  await client.query({
    name: 'payments-follow',
    text: `UPDATE payments p SET status = g.status, order_status = g.order_status, is_seen = g.is_seen,
             pay_tx = g.pay_tx, settle_tx = g.settle_tx, settled_amount = g.settled_amount, settled_value = g.settled_value, failure_reason = g.failure_reason,
             counted_on = g.counted_on, updated_at = g.updated_at
           FROM json_populate_recordset(NULL::payments, $1) g WHERE p.id = g.id`,
    values: [JSON.stringify(rows)],
  });
}

/** Changes to the sums of a day. */
interface DaySum {
  wallet: string;
  day: string;
  currency: string;
  chain: string;
  sign: 1 | -1;
  unpriced: number;
  amount: string;
  value_usd: string;
}

function sumsOf({ countedOn, ...payment }: Payment, sign: 1 | -1): DaySum[] {
  if (countedOn === null) return [];
  const { wallet, currency, chain, settledValueUsd: usd } = payment;
  const amount = String(payment.settledAmount ?? payment.amount);
  const unpriced = usd === null ? 1 : 0;
  return [{ wallet, day: countedOn, currency, chain, sign, unpriced, amount, value_usd: usd ?? '0' }];
}

async function addToDays(client: PoolClient, sums: readonly DaySum[]): Promise<void> {
  if (sums.length === 0) return;
  const values = [JSON.stringify(sums)];
  const given = `json_to_recordset($1) AS g (wallet text, day date, currency text, chain text, sign integer, unpriced integer,
    amount numeric, value_usd numeric)`;
  // Inserts and locks the rows first, by key, because a negative difference cannot be inserted.
  await client.query({
    name: 'payment-days-lock',
    text: `INSERT INTO payment_days AS d (wallet, day, currency, chain, payments, unpriced, amount, value_usd)
           SELECT DISTINCT wallet, day, currency, chain, 0, 0, 0, 0 FROM ${given} ORDER BY wallet, day, currency, chain
           ON CONFLICT (wallet, day, currency, chain) DO UPDATE SET payments = d.payments`,
    values,
  });
  await client.query({
    name: 'payment-days-add',
    text: `UPDATE payment_days d SET payments = d.payments + s.payments, unpriced = d.unpriced + s.unpriced,
             amount = d.amount + s.amount, value_usd = d.value_usd + s.value_usd
           FROM (SELECT wallet, day, currency, chain, sum(sign) AS payments, sum(sign * unpriced) AS unpriced,
                   sum(sign * amount) AS amount, sum(sign * value_usd) AS value_usd
                 FROM ${given} GROUP BY wallet, day, currency, chain) s
           WHERE (d.wallet, d.day, d.currency, d.chain) = (s.wallet, s.day, s.currency, s.chain)`,
    values,
  });
}

/** Changes to the sums of a day in the currency of prices. */
interface PriceSum {
  wallet: string;
  day: string;
  price_currency: string;
  payments: 1 | -1;
  unpriced: number;
  price: string;
  value_usd: string;
}

function priceSumsOf(
  { countedOn, conversion, wallet, settledValueUsd: usd }: Payment,
  sign: 1 | -1,
): PriceSum[] {
  if (countedOn === null || conversion === null) return [];
  const { amount, currency } = conversion.price;
  const signed = (text: string) => (sign === 1 ? text : `-${text}`);
  return [
    {
      wallet,
      day: countedOn,
      price_currency: currency,
      payments: sign,
      unpriced: usd === null ? sign : 0,
      price: signed(amount),
      value_usd: signed(usd ?? '0'),
    },
  ];
}

async function addToPriceDays(client: PoolClient, sums: readonly PriceSum[]): Promise<void> {
  if (sums.length === 0) return;
  await client.query({
    name: 'payment-price-days-add',
    text: `INSERT INTO payment_price_days AS stored (wallet, day, price_currency, payments, unpriced, price, value_usd)
           SELECT wallet, day, price_currency, sum(payments), sum(unpriced), sum(price), sum(value_usd)
           FROM json_populate_recordset(NULL::payment_price_days, $1)
           GROUP BY wallet, day, price_currency ORDER BY wallet, day, price_currency
           ON CONFLICT (wallet, day, price_currency) DO UPDATE SET
             payments = stored.payments + excluded.payments, unpriced = stored.unpriced + excluded.unpriced,
             price = stored.price + excluded.price, value_usd = stored.value_usd + excluded.value_usd`,
    values: [JSON.stringify(sums)],
  });
}

async function findOpen(
  client: PoolClient,
  requestId: string,
  { fromChain, fromToken, payerAddress }: Choice,
  nowMs: number,
): Promise<PaymentRow | undefined> {
  const { rows } = await client.query<PaymentRow>({
    name: 'payment-open',
    text: `SELECT ${columns} FROM payments WHERE request_id = $1 AND from_chain = $2 AND from_token = $3
             AND payer_address = $4 AND ${isOpen('$5')} ORDER BY created_at DESC LIMIT 1`,
    values: [requestId, fromChain, fromToken, payerAddress, new Date(nowMs)],
  });
  return rows[0];
}

/** Selects payments that can still be paid, or that the chain shows. A submitted hash alone does not count. */
const isOpen = (now: string): string => `status = 'executing' AND refusal IS NULL
  AND (order_id IS NULL OR is_seen OR order_expires_at > ${now})`;

async function hasTooMany(
  client: PoolClient,
  requestId: string,
  { open, all }: Limits,
  nowMs: number,
): Promise<boolean> {
  const { rows } = await client.query<{ open: number; all: number }>({
    name: 'payment-bounds',
    text: `SELECT count(*) FILTER (WHERE ${isOpen('$2')})::int AS open,
             count(*) FILTER (WHERE created_at > $2::timestamptz - interval '1 day')::int AS all
           FROM payments WHERE request_id = $1`,
    values: [requestId, new Date(nowMs)],
  });
  return rows[0]!.open >= open || rows[0]!.all >= all;
}

const rejectionTtlMs = 60_000;

/** Deletes rejections that no process waits for any more, so that retries do not accumulate rows. */
async function deleteRejected(client: PoolClient, requestId: string, nowMs: number): Promise<void> {
  await client.query({
    name: 'payment-delete-rejected',
    text: 'DELETE FROM payments WHERE request_id = $1 AND refusal IS NOT NULL AND updated_at < $2',
    values: [requestId, new Date(nowMs - rejectionTtlMs)],
  });
}

const insertStatement = `INSERT INTO payments (id, request_id, wallet, amount, currency, chain, description, from_chain,
    from_token, strategy, payer_address, claim, lease_until, order_status, status, created_at, updated_at, conversion)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, 'waiting_payment', 'executing', $14, $14, $15)`;

const filterText = `wallet = $1 AND order_id IS NOT NULL AND ($2::text IS NULL OR status = $2)
  AND ($3::text IS NULL OR currency = $3) AND ($4::text IS NULL OR chain = $4)
  AND ($5::timestamptz IS NULL OR created_at >= $5) AND ($6::timestamptz IS NULL OR created_at < $6)`;

function filterValues({ wallet, status, currency, chain, fromMs, toMs }: PaymentFilter): unknown[] {
  const date = (ms: number | undefined) => (ms === undefined ? null : new Date(ms));
  return [wallet, status ?? null, currency ?? null, chain ?? null, date(fromMs), date(toMs)];
}

function choiceOf(row: PaymentRow): Choice {
  return {
    fromChain: row.from_chain,
    fromToken: row.from_token,
    strategy: row.strategy,
    payerAddress: row.payer_address,
  };
}

function fromRow(row: PaymentRow): Payment {
  return {
    ...choiceOf(row),
    id: row.id,
    requestId: row.request_id,
    wallet: row.wallet,
    amount: BigInt(row.amount),
    conversion: row.conversion,
    currency: row.currency,
    chain: row.chain,
    description: row.description,
    orderId: row.order_id!,
    order: { toPay: row.order_reply!, estimatedSeconds: row.estimated_seconds ?? 0 },
    createdAtMs: row.created_at.getTime(),
    ...stateOf(row),
  };
}

function stateOf(row: PaymentRow): PaymentState {
  return {
    status: row.status,
    orderStatus: row.order_status,
    isSeen: row.is_seen,
    payTx: row.pay_tx,
    paidBy: row.paid_by,
    settleTx: row.settle_tx,
    settledAmount: row.settled_amount === null ? null : BigInt(row.settled_amount),
    settledValueUsd: row.settled_value,
    failureReason: row.failure_reason,
    isLate: row.is_late ?? false,
    countedOn: row.counted_on,
    orderVersion: row.order_version ?? 0,
    updatedAtMs: row.updated_at.getTime(),
  };
}
