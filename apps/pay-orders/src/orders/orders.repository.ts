import { Injectable } from '@nestjs/common';
import { keyIdOf, makerOf, type CallContext, type ListPosition } from '@tollbridge/rpc';
import { Database, Batcher, keepReply, transaction } from '@tollbridge/database';
import type { ClientBase, Pool } from 'pg';
import type { DirectTerms, Order, OrderDeposit, OrderTerms } from './order';
import {
  transitionOrders,
  reportStatement,
  insertEvents,
  valueOrders,
  type OrderValue,
} from './order-transitions.repository';
import { forwardingStateOf, type RefundState } from '../refunds/refund';
import { OrderRow } from './orders.entity';

export type StoredOrder = Order & {
  /** Height up to which the pay chain was read. */ chainHeight: number | null;
};

export type ReportOutcome = 'reported' | 'notWaiting' | 'claimedByAnother' | 'notOfThisChain';

/** What a settled order pays its merchant. */
export type Settled = Pick<Order, 'id' | 'settleChain' | 'settleToken' | 'merchantAmount'>;

interface Report {
  id: string;
  txHash: string;
  /** Ids of the chains with direct payments on which this can be a transaction. */
  directChains: readonly string[];
  nowMs: number;
  context: CallContext;
}

type Reportable = {
  status: string;
  method: string;
  pay_chain: string;
  pay_tx: string | null;
  reported_at: Date | null;
};

interface DepositRow {
  order_id: string;
  address: string;
  memo: string | null;
  amount: string;
  decimals: number;
  estimated_seconds: number;
  state: OrderDeposit['state'];
  deposited: string | null;
  refunded: string | null;
  settlement_proof: OrderDeposit['proof'];
  forwarded:
    { state: RefundState; amount: string; recipient: string | null; tx_hash: string | null }[] | null;
}

/** An order with the height up to which its pay chain was read. */
type ReadRow = OrderRow & { chain_height: string | null };

interface NewOrder {
  terms: OrderTerms;
  context: CallContext;
}

// Large enough that concurrent requests share a commit, small enough for one fast statement.
const maxGroup = 128;
// The reply of an order lists at most this many.
const mostForwarded = 20;

/**
 * Reads and writes orders. SQL: batches that share statements (bench rows "create an order", "read an order" and "report a
 * transaction"), row locks, and joins with deposits and positions.
 */
@Injectable()
export class OrdersRepository {
  private readonly pool: Pool;
  private readonly inserts: Batcher<NewOrder, void>;
  private readonly reads: Batcher<string, StoredOrder | undefined>;
  private readonly reports: Batcher<Report, boolean>;

  constructor({ pool }: Database) {
    this.pool = pool;
    this.inserts = new Batcher((group) => this.insertAll(group), { maxGroup, maxConcurrent: 3 });
    this.reads = new Batcher((ids) => this.findAll(ids), { maxGroup, maxConcurrent: 3 });
    this.reports = new Batcher((group) => this.reportAll(group), { maxGroup, maxConcurrent: 3 });
  }

  /**
   * Resolves after the commit of the order and its `order-created` event. A call with an idempotency key has its own
   * transaction, which also stores `reply` for replays.
   */
  async insert(order: NewOrder, reply: object): Promise<void> {
    if (!order.context.claim) return this.inserts.add(order);
    await transaction(this.pool, async (client) => {
      await insertOrder(client, order);
      await keepReply(client, order.context, reply);
    });
  }

  find(id: string): Promise<StoredOrder | undefined> {
    return this.reads.add(id);
  }

  /** A payer's orders, newest first, those after `before` in that order. */
  async listByPayer(payer: string, limit: number, before?: ListPosition): Promise<StoredOrder[]> {
    const { atMs, id } = before ?? {};
    const createdAt = atMs === undefined ? 'infinity' : new Date(atMs);
    const values = [payer, limit, createdAt, id ?? lastId];
    const { rows } = await this.pool.query<ReadRow>({ ...listStatement, values });
    return this.withDeposits(rows);
  }

  /**
   * Stores a reported transaction, once per order and once per transaction. Valid reports share a statement. Others run
   * alone to find the error, and calls with an idempotency key to store `reply` for replays.
   */
  async report(report: Report, reply: object): Promise<ReportOutcome> {
    const isShared = !report.context.claim && report.directChains.length > 0;
    if (isShared && (await this.reports.add(report))) return 'reported';
    return transaction(this.pool, async (client) => {
      const outcome = await reportAlone(client, report);
      if (outcome === 'reported') await keepReply(client, report.context, reply);
      return outcome;
    });
  }

  private async reportAll(group: Report[]): Promise<boolean[]> {
    const { rows } = await this.pool.query<{ id: string; detail: string }>({
      ...reportStatement,
      values: [
        group.map(({ id }) => id),
        group.map(({ txHash }) => txHash),
        new Date(Math.max(...group.map(({ nowMs }) => nowMs))),
        group.map(({ context }) => context.requestId),
        group.map(({ context }) => context.traceparent),
        group.map(({ directChains }) => directChains.join(' ')),
      ],
    });
    const taken = new Map(rows.map(({ id, detail }) => [id, detail]));
    return group.map(({ id, txHash }) => {
      const isTaken = taken.get(id) === txHash;
      // A duplicate within the group counts once.
      if (isTaken) taken.delete(id);
      return isTaken;
    });
  }

  /**
   * Unpaid orders past their expiry, oldest first. A direct order is due only after a block past its expiry was read: the
   * contract compares block times, so a payment may still come or be unread while the chain stalls or a node lags. A
   * cross-chain order is due only after its deposit was checked past its expiry.
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

  /** Orders settled after a time, without a value, in tokens with a price; the oldest first. */
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
    const deposits = await this.depositsOf(rows);
    return rows.map((row) => ({
      ...fromRow(row),
      deposit: deposits.get(row.id) ?? null,
      chainHeight: row.chain_height === null ? null : Number(row.chain_height),
    }));
  }

  /** A second statement, only for orders with deposits: direct orders do not pay for it ("read an order"). */
  private async depositsOf(rows: readonly OrderRow[]): Promise<Map<string, OrderDeposit>> {
    const ids = rows.filter(({ method }) => method === 'CrossChain').map(({ id }) => id);
    if (ids.length === 0) return new Map();
    const { rows: deposits } = await this.pool.query<DepositRow>({
      name: 'deposits-by-order',
      text: `SELECT order_id, address, memo, amount, decimals, estimated_seconds, state, deposited, refunded,
               settlement_proof, (SELECT json_agg(json_build_object('state', r.state, 'amount', r.amount::text,
                 'recipient', r.recipient, 'tx_hash', r.tx_hash) ORDER BY r.created_at DESC)
                 FROM (SELECT * FROM refunds r WHERE r.order_id = deposits.order_id
                       ORDER BY r.created_at DESC LIMIT ${mostForwarded}) r) AS forwarded
             FROM deposits WHERE order_id = ANY($1::uuid[])`,
      values: [ids],
    });
    return new Map(deposits.map((deposit) => [deposit.order_id, fromDepositRow(deposit)]));
  }
}

/** The largest id: with a time of `infinity` it is the position before the newest order. */
const lastId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/**
 * One page of a payer's orders: payer, limit, and the last time and id of the previous page. The index `orders_payer` has
 * this order, so a page costs the same for any number of orders.
 */
export const listStatement = {
  name: 'orders-by-payer',
  text: `SELECT o.*, p.height AS chain_height FROM (
           SELECT * FROM orders WHERE payer_address = $1 AND NOT is_payerless AND (created_at, id) < ($3::timestamptz, $4::uuid)
           ORDER BY created_at DESC, id DESC LIMIT $2
         ) o LEFT JOIN chain_positions p ON p.chain = o.pay_chain ORDER BY o.created_at DESC, o.id DESC`,
};

/** Inserts an order and its event in the caller's transaction. */
export async function insertOrder(client: ClientBase, order: NewOrder): Promise<void> {
  await insertOrders(client, [order]);
}

async function insertOrders(client: ClientBase | Pool, group: NewOrder[]): Promise<void> {
  await client.query({ name: 'orders-insert', text: insertStatement, values: columnsOf(group) });
}

/**
 * Also accepts the first report of a payment that the watcher has already found: the watcher may be faster than the payer.
 */
async function reportAlone(
  client: ClientBase,
  { id, txHash, directChains, nowMs, context }: Report,
): Promise<ReportOutcome> {
  const { rows } = await client.query<Reportable>({
    name: 'order-lock',
    text: 'SELECT status, method, pay_chain, pay_tx, reported_at FROM orders WHERE id = $1 FOR UPDATE',
    values: [id],
  });
  const order = rows[0];
  const isFound =
    order?.pay_tx === txHash && !order.reported_at && ['settling', 'settled'].includes(order.status);
  if (!order || (order.status !== 'waiting_payment' && !isFound)) return 'notWaiting';
  if (order.method === 'Direct' && !directChains.includes(order.pay_chain)) return 'notOfThisChain';
  const claimed = await client.query({
    name: 'tx-claim',
    text: 'INSERT INTO tx_claims (chain, tx_hash, order_id) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
    values: [order.pay_chain, txHash, id],
  });
  if (isFound) {
    const values = [id, new Date(nowMs)];
    await client.query({
      name: 'order-reported',
      text: 'UPDATE orders SET reported_at = $2 WHERE id = $1',
      values,
    });
    return 'reported';
  }
  if (claimed.rowCount === 0) return 'claimedByAnother';
  await transitionOrders(client, 'paymentReported', [{ orderId: id, detail: txHash }], nowMs, context);
  if (order.method === 'CrossChain') await hintDeposit(client, id, txHash, nowMs);
  return 'reported';
}

/** Makes the deposit due now; the worker submits the transaction to the provider. */
async function hintDeposit(client: ClientBase, id: string, txHash: string, nowMs: number): Promise<void> {
  await client.query({
    name: 'deposit-reported',
    text: 'UPDATE deposits SET reported_tx = $2, check_at = $3 WHERE order_id = $1',
    values: [id, txHash, new Date(nowMs)],
  });
}

/** Columns of a new order, with SQL types and values. */
const newOrderColumns: [column: string, type: string, value: (order: NewOrder) => unknown][] = [
  ['id', 'uuid', ({ terms }) => terms.id],
  ['method', 'text', ({ terms }) => terms.method],
  ['pay_chain', 'text', ({ terms }) => terms.payChain],
  ['pay_token', 'text', ({ terms }) => terms.payToken],
  ['settle_chain', 'text', ({ terms }) => terms.settleChain],
  ['settle_token', 'text', ({ terms }) => terms.settleToken],
  ['merchant_address', 'text', ({ terms }) => terms.merchantAddress],
  ['merchant_amount', 'numeric', ({ terms }) => String(terms.merchantAmount)],
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
const insertStatement = `
  WITH given AS (
    SELECT * FROM unnest(${newOrderColumns.map(([, type], index) => `$${index + 1}::${type}[]`).join(', ')},
      $${newOrderColumns.length + 1}::text[], $${newOrderColumns.length + 2}::text[]) AS g (${names}, request_id, traceparent)
  ), inserted AS (
    INSERT INTO orders (${names}, status) SELECT ${names}, 'waiting_payment' FROM given RETURNING *
  ), changed AS (
    SELECT inserted.*, given.request_id, given.traceparent FROM inserted JOIN given USING (id)
  ) ${insertEvents('order-created', 'm.request_id', 'm.traceparent')}`;

function columnsOf(group: NewOrder[]): unknown[][] {
  const columns = newOrderColumns.map(([, , value]) => group.map(value));
  return [
    ...columns,
    group.map(({ context }) => context.requestId),
    group.map(({ context }) => context.traceparent),
  ];
}

export function fromRow(row: OrderRow): Order {
  return {
    id: row.id,
    status: row.status,
    method: row.method,
    payChain: row.pay_chain,
    payToken: row.pay_token,
    settleChain: row.settle_chain,
    settleToken: row.settle_token,
    merchantAddress: row.merchant_address,
    merchantAmount: BigInt(row.merchant_amount),
    feeReceiver: row.fee_receiver,
    feeAmount: BigInt(row.fee_amount),
    merchantId: row.merchant_id,
    payerAddress: row.payer_address,
    isPayerless: row.is_payerless,
    direct: directOf(row),
    deposit: null,
    payTx: row.pay_tx,
    settleTx: row.settle_tx,
    settledAmount: row.settled_amount === null ? null : BigInt(row.settled_amount),
    failureReason: row.failure_reason,
    isLate: row.late,
    paidHeight: row.paid_height === null ? null : Number(row.paid_height),
    createdAtMs: row.created_at.getTime(),
    updatedAtMs: row.updated_at.getTime(),
    expiresAtMs: row.expires_at.getTime(),
  };
}

function directOf({ contract_address, token_in_address }: OrderRow): DirectTerms | null {
  return contract_address === null || token_in_address === null
    ? null
    : { contractAddress: contract_address, tokenInAddress: token_in_address };
}

function fromDepositRow(row: DepositRow): OrderDeposit {
  const amount = (text: string | null) => (text === null ? null : BigInt(text));
  return {
    address: row.address,
    memo: row.memo,
    amount: BigInt(row.amount),
    decimals: row.decimals,
    estimatedSeconds: row.estimated_seconds,
    state: row.state,
    depositedAmount: amount(row.deposited),
    refundedAmount: amount(row.refunded),
    proof: row.settlement_proof,
    forwarded: (row.forwarded ?? []).map(({ state, amount: forwarded, recipient, tx_hash: txHash }) => ({
      state: forwardingStateOf[state],
      amountAtomic: BigInt(forwarded),
      recipient,
      // Before `sent` it is a gas transaction, or a transfer that may still be replaced.
      txHash: state === 'sent' ? txHash : null,
    })),
  };
}
