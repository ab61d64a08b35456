import { Injectable } from '@nestjs/common';
import { orderEvents, type OrderException } from '@tollbridge/contracts';
import { keyIdOf, makerOf, type CallContext, type ListPosition } from '@tollbridge/rpc';
import { Database, Batcher, storeReply, transaction, type TransactionClient } from '@tollbridge/database';
import type { Pool } from 'pg';
import type { Order, OrderDeposit, OrderTerms } from '../order';
import { orderCreatedOf } from '../order-created';
import { fromDepositRow, fromRow, type DepositRow } from './order-rows';
import { transitionOrders, valueOrders, type OrderValue } from './order-transitions.repository';
import { type OrderExceptionRow, OrderRow } from './orders.entity';

export type StoredOrder = Order & {
  /** The height of the last block that was read on the pay chain. */ chainHeight: number | null;
  exceptions: OrderException[];
};

/** The payment of a settled order to its merchant. */
export type Settled = Pick<Order, 'id' | 'settleChain' | 'settleToken' | 'merchantAmount'>;

/** An order with the height of the last block that was read on its pay chain. */
type ReadRow = OrderRow & { chain_height: string | null };

interface NewOrder {
  terms: OrderTerms;
  context: CallContext;
}

// Large enough that concurrent requests share a commit, and small enough for one fast statement.
const maxGroup = 128;
// The maximum number in the reply of an order.
const maxForwarded = 20;
const mostExceptions = 20;

/**
 * Reads and writes orders. Uses SQL for row locks, joins with deposits and positions, and shared statements.
 * Benchmarks: "create an order", "read an order" and "report a transaction".
 */
@Injectable()
export class OrdersRepository {
  private readonly pool: Pool;
  private readonly inserts: Batcher<NewOrder, void>;
  private readonly reads: Batcher<string, StoredOrder | undefined>;

  constructor({ pool, onGroupFailure: onFailure }: Database) {
    this.pool = pool;
    const options = { maxGroup, maxConcurrent: 3, isIdempotent: true, onFailure };
    this.inserts = new Batcher((group) => this.insertAll(group), options);
    this.reads = new Batcher((ids) => this.findAll(ids), options);
  }

  /**
   * Resolves after the commit of the order and its `order-created` event. A call with an idempotency key has its own
   * transaction, which also stores `reply` for replays.
   */
  async insert(order: NewOrder, reply: object): Promise<void> {
    if (!order.context.claim) return this.inserts.add(order);
    await transaction(this.pool, async (client) => {
      await insertOrder(client, order);
      await storeReply(client, order.context, reply);
    });
  }

  find(id: string): Promise<StoredOrder | undefined> {
    return this.reads.add(id);
  }

  /** A payer's orders, newest first, starting behind the position `before`. */
  async listByPayer(payer: string, limit: number, before?: ListPosition): Promise<StoredOrder[]> {
    const { atMs, id } = before ?? {};
    const createdAt = atMs === undefined ? 'infinity' : new Date(atMs);
    const values = [payer, limit, createdAt, id ?? lastId];
    const { rows } = await this.pool.query<ReadRow>({ ...listStatement, values });
    return this.withDeposits(rows);
  }

  /**
   * Unpaid orders past their expiry, oldest first. A direct order is due only after a block past its expiry was read.
   * The contract compares block times: while the chain stalls or a node lags, a payment may still arrive or be unread.
   * A cross-chain order is due only after its deposit was checked past its expiry.
   */
  async dueIds(nowMs: number, watchedChains: readonly string[], limit: number): Promise<string[]> {
    const { rows } = await this.pool.query<{ id: string }>({
      name: 'orders-due',
      text: `SELECT o.id FROM orders o LEFT JOIN chain_positions p ON p.chain = o.pay_chain
             WHERE o.status = 'waiting_payment' AND o.expires_at <= $1
               AND CASE o.method
                 WHEN 'Direct' THEN o.pay_chain <> ALL($2::text[]) OR p.synced_at > o.expires_at
                 ELSE EXISTS (SELECT FROM deposits d WHERE d.order_id = o.id AND (d.answered_at > o.expires_at OR d.closed_at IS NOT NULL)) END
             ORDER BY o.expires_at LIMIT $3`,
      values: [new Date(nowMs), watchedChains, limit],
    });
    return rows.map(({ id }) => id);
  }

  /** The earliest expiry of an unpaid order, past or future; null without one. */
  async nextExpiryMs(): Promise<number | null> {
    const { rows } = await this.pool.query<{ at: Date | null }>({
      name: 'orders-next-expiry',
      text: `SELECT min(expires_at) AS at FROM orders WHERE status = 'waiting_payment'`,
    });
    return rows[0]!.at?.getTime() ?? null;
  }

  /** Sets the expiry of a waiting order to now. @returns whether the order was waiting */
  async endLifetime(id: string, nowMs: number): Promise<boolean> {
    const { rowCount } = await this.pool.query({
      name: 'order-end-lifetime',
      text: `UPDATE orders SET expires_at = least(expires_at, $2) WHERE id = $1 AND status = 'waiting_payment'`,
      values: [id, new Date(nowMs)],
    });
    return rowCount === 1;
  }

  /** Orders without a value that were settled after a time, for tokens with a price, oldest first. */
  async unvalued(
    afterMs: number,
    tokens: readonly { chain: string; token: string }[],
    limit: number,
  ): Promise<Settled[]> {
    const { rows } = await this.pool.query<OrderRow>({
      name: 'orders-unvalued',
      text: `SELECT id, settle_chain, settle_token, merchant_amount FROM orders
             WHERE status = 'settled' AND settled_value_usd IS NULL AND updated_at > $1
               AND (settle_chain, settle_token) IN (SELECT * FROM unnest($2::text[], $3::text[]))
             ORDER BY updated_at LIMIT $4`,
      values: [new Date(afterMs), tokens.map(({ chain }) => chain), tokens.map(({ token }) => token), limit],
    });
    return rows.map((row) => ({
      id: row.id,
      settleChain: row.settle_chain,
      settleToken: row.settle_token,
      merchantAmount: BigInt(row.merchant_amount),
    }));
  }

  /** @returns the ids of the orders that were valued */
  value(values: readonly OrderValue[], nowMs: number, context: CallContext): Promise<string[]> {
    return valueOrders(this.pool, values, nowMs, context);
  }

  async expire(ids: readonly string[], nowMs: number, context: CallContext): Promise<string[]> {
    return transitionOrders(
      this.pool,
      'timeRanOut',
      ids.map((orderId) => ({ orderId })),
      nowMs,
      context,
    );
  }

  private async insertAll(group: NewOrder[]): Promise<void[]> {
    await insertOrders(this.pool, group);
    return group.map(() => undefined);
  }

  private async findAll(ids: string[]): Promise<(StoredOrder | undefined)[]> {
    const { rows } = await this.pool.query<ReadRow>({
      name: 'orders-by-id',
      text: `SELECT o.*, p.height AS chain_height FROM orders o LEFT JOIN chain_positions p ON p.chain = o.pay_chain
             WHERE o.id = ANY($1::uuid[])`,
      values: [ids],
    });
    const found = new Map((await this.withDeposits(rows)).map((order) => [order.id, order]));
    return ids.map((id) => found.get(id));
  }

  private async withDeposits(rows: readonly ReadRow[]): Promise<StoredOrder[]> {
    const [deposits, exceptions] = await Promise.all([this.depositsOf(rows), this.exceptionsOf(rows)]);
    return rows.map((row) => ({
      ...fromRow(row),
      deposit: deposits.get(row.id) ?? null,
      exceptions: exceptions.get(row.id) ?? [],
      chainHeight: row.chain_height === null ? null : Number(row.chain_height),
    }));
  }

  /** The newest exceptions of each order. Queries only orders that have some. */
  private async exceptionsOf(rows: readonly OrderRow[]): Promise<Map<string, OrderException[]>> {
    const ids = rows.filter((row) => row.has_exceptions).map(({ id }) => id);
    if (ids.length === 0) return new Map();
    const { rows: found } = await this.pool.query<OrderExceptionRow>({
      name: 'exceptions-by-order',
      text: `SELECT e.* FROM unnest($1::uuid[]) AS given (id) CROSS JOIN LATERAL (
               SELECT * FROM order_exceptions e WHERE e.order_id = given.id
               ORDER BY e.seen_at DESC LIMIT ${mostExceptions}) e`,
      values: [ids],
    });
    const exceptions = new Map<string, OrderException[]>();
    for (const { order_id: orderId, seen_at: seenAt, ...row } of found)
      exceptions.set(orderId, [
        ...(exceptions.get(orderId) ?? []),
        { ...row, seen_at: seenAt.toISOString() },
      ]);
    return exceptions;
  }

  /** A second statement, only for orders with deposits, so that direct orders stay fast ("read an order"). */
  private async depositsOf(rows: readonly OrderRow[]): Promise<Map<string, OrderDeposit>> {
    const ids = rows.filter(({ method }) => method === 'CrossChain').map(({ id }) => id);
    if (ids.length === 0) return new Map();
    const { rows: deposits } = await this.pool.query<DepositRow>({
      name: 'deposits-by-order',
      text: `SELECT order_id, address, memo, amount, decimals, estimated_seconds, state, deposited, refunded,
               settlement_proof, (SELECT json_agg(json_build_object('state', r.state, 'amount', r.amount::text,
                 'recipient', r.recipient, 'tx_hash', r.tx_hash) ORDER BY r.created_at DESC)
                 FROM (SELECT * FROM refunds r WHERE r.order_id = deposits.order_id
                       ORDER BY r.created_at DESC LIMIT ${maxForwarded}) r) AS forwarded
             FROM deposits WHERE order_id = ANY($1::uuid[])`,
      values: [ids],
    });
    return new Map(deposits.map((deposit) => [deposit.order_id, fromDepositRow(deposit)]));
  }
}

/** The largest id. With a time of `infinity` it is the position before the newest order. */
const lastId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/**
 * One page of a payer's orders: payer, limit, and the last time and id of the previous page. The index `orders_payer`
 * has this order, so a page costs the same for any number of orders.
 */
export const listStatement = {
  name: 'orders-by-payer',
  text: `SELECT o.*, p.height AS chain_height FROM (
           SELECT * FROM orders WHERE payer_address = $1 AND NOT is_payerless AND (created_at, id) < ($3::timestamptz, $4::uuid)
           ORDER BY created_at DESC, id DESC LIMIT $2
         ) o LEFT JOIN chain_positions p ON p.chain = o.pay_chain ORDER BY o.created_at DESC, o.id DESC`,
};

/** Inserts an order and its event in the caller's transaction. */
export async function insertOrder(client: TransactionClient, order: NewOrder): Promise<void> {
  await insertOrders(client, [order]);
}

async function insertOrders(client: TransactionClient | Pool, group: readonly NewOrder[]): Promise<void> {
  const rows = group.map(insertedValues);
  const [only, ...others] = rows as [unknown[], ...unknown[][]];
  await client.query(
    others.length === 0
      ? { ...insertOne, values: only }
      : { ...insertMany, values: only.map((_, column) => rows.map((row) => row[column])) },
  );
}

/** The columns of a new order, with SQL types and values. */
const newOrderColumns: [column: string, type: string, value: (order: NewOrder) => unknown][] = [
  ['id', 'uuid', ({ terms }) => terms.id],
  ['method', 'text', ({ terms }) => terms.method],
  ['pay_chain', 'text', ({ terms }) => terms.payChain],
  ['pay_token', 'text', ({ terms }) => terms.payToken],
  ['settle_chain', 'text', ({ terms }) => terms.settleChain],
  ['settle_token', 'text', ({ terms }) => terms.settleToken],
  ['merchant_address', 'text', ({ terms }) => terms.merchantAddress],
  ['merchant_amount', 'numeric', ({ terms }) => String(terms.merchantAmount)],
  ['conversion', 'json', ({ terms }) => terms.conversion && JSON.stringify(terms.conversion)],
  ['fee_receiver', 'text', ({ terms }) => terms.feeReceiver],
  ['fee_amount', 'numeric', ({ terms }) => String(terms.feeAmount)],
  ['merchant_id', 'text', ({ terms }) => terms.merchantId],
  ['payer_address', 'text', ({ terms }) => terms.payerAddress],
  ['is_payerless', 'boolean', ({ terms }) => terms.isPayerless],
  ['contract_address', 'text', ({ terms }) => terms.direct?.contractAddress ?? null],
  ['token_in_address', 'text', ({ terms }) => terms.direct?.tokenInAddress ?? null],
  ['created_by', 'text', ({ context }) => makerOf(context) ?? null],
  ['key_id', 'uuid', ({ context }) => keyIdOf(context) ?? null],
  ['created_at', 'timestamptz', ({ terms }) => new Date(terms.createdAtMs).toISOString()],
  ['updated_at', 'timestamptz', ({ terms }) => new Date(terms.createdAtMs).toISOString()],
  ['expires_at', 'timestamptz', ({ terms }) => new Date(terms.expiresAtMs).toISOString()],
];

const names = newOrderColumns.map(([column]) => column).join(', ');
const types = [...newOrderColumns.map(([, type]) => type), 'uuid', 'json'];

function insertedValues(order: NewOrder): unknown[] {
  const created = orderCreatedOf(order.terms, order.context);
  return [...newOrderColumns.map(([, , value]) => value(order)), created.id, JSON.stringify(created)];
}

/**
 * SQL of an insert of new orders and their events.
 * @param given SQL of a relation with one row for each order
 */
const insertOf = (given: string): string => `
  WITH given (${names}, event_id, event) AS (${given}), inserted AS (
    INSERT INTO orders (${names}, status) SELECT ${names}, 'waiting_payment' FROM given
    -- A group with an unknown outcome is inserted again; ids are random.
    ON CONFLICT (id) DO NOTHING RETURNING id
  )
  INSERT INTO outbox (id, subject, aggregate_id, payload)
  SELECT event_id, '${orderEvents['order-created'].subject}', id::text, event FROM inserted JOIN given USING (id)`;

const parameters = (suffix: string): string =>
  types.map((type, index) => `$${index + 1}::${type}${suffix}`).join(', ');

// One order is the common case, and takes a fifth longer by the statement with arrays (bench row "create an order").
const insertOne = { name: 'order-insert', text: insertOf(`VALUES (${parameters('')})`) };
const insertMany = { name: 'orders-insert', text: insertOf(`SELECT * FROM unnest(${parameters('[]')})`) };
