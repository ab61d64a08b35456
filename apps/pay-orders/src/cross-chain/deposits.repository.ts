import { Injectable } from '@nestjs/common';
import type { CallContext } from '@tollbridge/rpc';
import { Database, keepReply, transaction } from '@tollbridge/database';
import type { CommittedRoute, Deposit, RouteRequest, RouteState, RouteStatus } from '@tollbridge/routing';
import type { ClientBase, Pool } from 'pg';
import type { Repository } from 'typeorm';
import { hasArrived, type OrderDeposit, type OrderTerms } from '../orders/order';
import { transitionOrders, publishSettling } from '../orders/order-transitions.repository';
import type { OrderRow } from '../orders/orders.entity';
import { fromRow } from '../orders/order-rows';
import { insertOrder } from '../orders/orders.repository';
import type { ValueOf } from '../prices/token-prices';
import {
  expectRefund,
  insertRefundAddress,
  type RefundAddress,
} from '../refunds/refund-addresses.repository';
import {
  claimKey,
  evaluateDeposit,
  nothing,
  type Delivery,
  type DepositVerdict,
  type Transfer,
} from './deposit';
import { DepositRow } from './deposits.entity';

export type CommitOutcome = 'committed' | 'refused' | 'unavailable' | 'unknown';

/** A cross-chain order, stored together with its deposit. */
export interface NewDeposit {
  terms: OrderTerms;
  deposit: OrderDeposit;
  committed: CommittedRoute;
  /** Stored for idempotent replays. */
  reply: object;
  /** Only for an order without a payer. */
  refundAddress?: RefundAddress;
}

/** An open deposit that is due: its status is requested from the provider. */
export interface DueDeposit {
  orderId: string;
  deposit: Deposit;
  reportedTx: string | null;
  /** The problem at the last check. */
  problem: string | null;
  settleChain: string;
  settleToken: string;
  merchantAddress: string;
  createdAtMs: number;
  expiresAtMs: number;
  deadlineMs: number;
}

interface DueRow {
  order_id: string;
  address: string;
  memo: string | null;
  reported_tx: string | null;
  problem: string | null;
  settle_chain: string;
  settle_token: string;
  merchant_address: string;
  created_at: Date;
  expires_at: Date;
  deadline: Date;
}

/** The result of one check of a deposit. */
export interface Findings {
  status: RouteStatus;
  delivery: Delivery;
  /** Dollar values of tokens of the settle chain. */
  valueOf: ValueOf;
  nowMs: number;
  nextCheckAtMs: number;
}

/** The stored state of a deposit address. */
export interface KnownDeposit {
  order_id: string;
  state: RouteStatus['state'];
  deposit_tx: string | null;
  pay_tx: string | null;
  delivery_tx: string | null;
  deposited: string | null;
  amount_in: string | null;
  amount_out: string | null;
  refunded: string | null;
  refund_reason: string | null;
}

const forJson = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value);

/** Reads and writes deposits of cross-chain orders. SQL: leases, and writes in the transaction that locks the order. */
@Injectable()
export class DepositsRepository {
  private readonly pool: Pool;
  private readonly rows: Repository<DepositRow>;

  constructor({ pool, dataSource }: Database) {
    this.pool = pool;
    this.rows = dataSource.getRepository(DepositRow);
  }

  /**
   * Stores that a deposit address will be requested. Once per order: a second request of the same order fails. SQL: TypeORM
   * cannot serialise the bigints of the request.
   */
  async recordRequest(orderId: string, request: RouteRequest, nowMs: number): Promise<void> {
    await this.pool.query({
      name: 'route-commit-request',
      text: 'INSERT INTO route_commits (order_id, request, asked_at) VALUES ($1, $2, $3)',
      values: [orderId, JSON.stringify(request, forJson), new Date(nowMs)],
    });
  }

  async recordOutcome(
    orderId: string,
    outcome: CommitOutcome,
    reason: string | null,
    nowMs: number,
  ): Promise<void> {
    await recordOutcome(this.pool, orderId, outcome, reason, nowMs);
  }

  /** Marks requests as `unknown` after their process ended before the reply. @returns the ids of their orders */
  async closeLostRequests(askedBeforeMs: number, nowMs: number): Promise<string[]> {
    const { rows } = await this.pool.query<{ order_id: string }>({
      name: 'route-commits-lost',
      text: `UPDATE route_commits SET outcome = 'unknown', reason = 'the process ended before an answer', answered_at = $2
             WHERE outcome IS NULL AND asked_at < $1 RETURNING order_id`,
      values: [new Date(askedBeforeMs), new Date(nowMs)],
    });
    return rows.map((row) => row.order_id);
  }

  /** Stores the order, its deposit, its event, the outcome of the request and the idempotent reply in one transaction. */
  async insertOrder(
    { terms, deposit, committed, reply, refundAddress }: NewDeposit,
    nowMs: number,
    context: CallContext,
  ): Promise<void> {
    await transaction(this.pool, async (client) => {
      await recordOutcome(client, terms.id, 'committed', null, nowMs);
      await insertOrder(client, { terms, context });
      await client.query({
        name: 'deposit-insert',
        text: `INSERT INTO deposits (order_id, address, memo, amount, min_amount, decimals, estimated_seconds, deadline,
                 signed_quote, check_at)
               VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
        values: [
          terms.id,
          deposit.address,
          deposit.memo,
          String(deposit.amount),
          String(committed.minAmountInAtomic),
          deposit.decimals,
          deposit.estimatedSeconds,
          committed.deadline,
          JSON.stringify(committed.signedQuote),
          new Date(nowMs),
        ],
      });
      if (refundAddress) await insertRefundAddress(client, terms.id, refundAddress, nowMs);
      await keepReply(client, context, reply);
    });
  }

  /**
   * Leases due deposits: other replicas take others, and a deposit with a failed check becomes due again.
   */
  async takeDue(nowMs: number, limit: number, leaseMs: number): Promise<DueDeposit[]> {
    const { rows } = await this.pool.query<DueRow>({
      name: 'deposits-due',
      text: `WITH due AS (
               SELECT order_id FROM deposits WHERE closed_at IS NULL AND check_at <= $1
               ORDER BY check_at LIMIT $2 FOR UPDATE SKIP LOCKED
             ), taken AS (
               UPDATE deposits d SET check_at = $3 FROM due WHERE d.order_id = due.order_id RETURNING d.*
             )
             SELECT t.order_id, t.address, t.memo, t.reported_tx, t.problem, t.deadline, o.settle_chain, o.settle_token,
               o.merchant_address, o.created_at, o.expires_at
             FROM taken t JOIN orders o ON o.id = t.order_id`,
      values: [new Date(nowMs), limit, new Date(nowMs + leaseMs)],
    });
    return rows.map(fromDueRow);
  }

  /** When the next open deposit is due; null without one. */
  async nextCheckMs(): Promise<number | null> {
    const { rows } = await this.pool.query<{ at: Date | null }>({
      name: 'deposits-next-check',
      text: 'SELECT min(check_at) AS at FROM deposits WHERE closed_at IS NULL',
    });
    return rows[0]!.at?.getTime() ?? null;
  }

  /** The provider has received the payer's transaction. */
  async recordSubmitted(orderId: string, txHash: string): Promise<void> {
    await this.rows.update({ order_id: orderId, reported_tx: txHash }, { reported_tx: null });
  }

  async postpone(orderId: string, checkAtMs: number): Promise<void> {
    await this.rows.update(orderId, { check_at: new Date(checkAtMs) });
  }

  /** Evaluates the findings against the order under its lock, and stores the verdict with its events. */
  async apply(
    { orderId, deadlineMs }: DueDeposit,
    findings: Findings,
    context: CallContext,
  ): Promise<DepositVerdict> {
    const { status, delivery, valueOf, nowMs } = findings;
    return transaction(this.pool, async (client) => {
      const { rows } = await client.query<OrderRow>({
        name: 'deposit-order-lock',
        text: 'SELECT * FROM orders WHERE id = $1 FOR UPDATE',
        values: [orderId],
      });
      // A replica slower than its lease may come second: final deposits stay as they are.
      const before = await readState(client, orderId);
      if (before.isClosed) return nothing;
      const order = fromRow(rows[0]!);
      const transfers = delivery.kind === 'read' ? delivery.transfers : [];
      const claimed = await claimedByOthers(client, orderId, order.settleChain, transfers);
      const verdict = evaluateDeposit({ order, status, delivery, claimed, deadlineMs, nowMs });
      const valueUsd = valueOf(order.settleToken, order.merchantAmount);
      // First, because the events carry the refunded amount.
      await saveFindings(client, orderId, findings, verdict);
      for (const { event, change } of verdict.changes)
        await transitionOrders(client, event, [{ orderId, valueUsd, ...change }], nowMs, context);
      // The order is settling by a report, so the arrival of its deposit changes no state.
      const isNews = verdict.changes.length === 0 && hasArrived(status.state) !== hasArrived(before.state);
      if (isNews) await publishSettling(client, [orderId], nowMs, context);
      const refundedAtomic = refundedOf(status) ?? before.refundedAtomic;
      const hasRefundNews = verdict.isOver || refundedAtomic !== before.refundedAtomic;
      if (order.isPayerless && hasRefundNews) await expectRefund(client, orderId, { refundedAtomic, nowMs });
      if (verdict.isOver) await forgetFalseReports(client, orderId, status.depositTxs);
      await claim(client, orderId, order.settleChain, verdict.claims);
      return verdict;
    });
  }

  /** @param addresses spellings of one address */
  async findByAddress(addresses: readonly string[], memo: string | null): Promise<KnownDeposit | undefined> {
    const { rows } = await this.pool.query<KnownDeposit>({
      name: 'deposit-by-address',
      text: `SELECT d.*, o.pay_tx FROM deposits d JOIN orders o ON o.id = d.order_id
             WHERE d.address = ANY($1::text[]) AND coalesce(d.memo, '') = $2`,
      values: [addresses, memo ?? ''],
    });
    return rows[0];
  }
}

/** Where the provider does not state the refunded amount, it is at most the deposit. */
const refundedOf = ({ state, refundedAtomic, depositedAtomic }: RouteStatus): bigint | null =>
  refundedAtomic ?? (state === 'refunded' ? depositedAtomic : null);

async function recordOutcome(
  client: ClientBase | Pool,
  orderId: string,
  outcome: CommitOutcome,
  reason: string | null,
  nowMs: number,
): Promise<void> {
  await client.query({
    name: 'route-commit-outcome',
    text: 'UPDATE route_commits SET outcome = $2, reason = $3, answered_at = $4 WHERE order_id = $1',
    values: [orderId, outcome, reason, new Date(nowMs)],
  });
}

/** Call it after the order was locked, to read what the last holder of the lock wrote. */
async function readState(
  client: ClientBase,
  orderId: string,
): Promise<{ state: RouteState; isClosed: boolean; refundedAtomic: bigint }> {
  const { rows } = await client.query<{ state: RouteState; isClosed: boolean; refunded: string | null }>({
    name: 'deposit-state',
    text: 'SELECT state, refunded, closed_at IS NOT NULL AS "isClosed" FROM deposits WHERE order_id = $1',
    values: [orderId],
  });
  const { state, isClosed, refunded } = rows[0]!;
  return { state, isClosed, refundedAtomic: BigInt(refunded ?? 0) };
}

/** Transfers that settled other orders, and transfers in transactions that paid an order directly. */
async function claimedByOthers(
  client: ClientBase,
  orderId: string,
  chain: string,
  transfers: readonly Transfer[],
): Promise<Set<string>> {
  if (transfers.length === 0) return new Set();
  const { rows } = await client.query<{ tx_hash: string; log_index: number | null }>({
    name: 'settlement-claims',
    text: `SELECT tx_hash, log_index FROM settlement_claims
           WHERE chain = $1 AND tx_hash = ANY($2::text[]) AND order_id <> $3
           UNION ALL SELECT tx_hash, NULL FROM payments WHERE chain = $1 AND tx_hash = ANY($2::text[])`,
    values: [chain, transfers.map(({ txHash }) => txHash), orderId],
  });
  const isTaken = ({ txHash, logIndex }: Transfer): boolean =>
    rows.some((row) => row.tx_hash === txHash && (row.log_index === null || row.log_index === logIndex));
  return new Set(transfers.filter(isTaken).map(claimKey));
}

/** Releases reported transactions that are not the deposit, so that the orders that they pay can claim them. */
async function forgetFalseReports(
  client: ClientBase,
  orderId: string,
  depositTxs: readonly string[],
): Promise<void> {
  await client.query({
    name: 'deposit-false-reports',
    text: 'DELETE FROM tx_claims WHERE order_id = $1 AND tx_hash <> ALL($2::text[])',
    values: [orderId, depositTxs],
  });
}

/** When two orders claim a transfer at once, the second transaction fails, and that deposit is checked again. */
async function claim(
  client: ClientBase,
  orderId: string,
  chain: string,
  claims: readonly Transfer[],
): Promise<void> {
  if (claims.length === 0) return;
  await client.query({
    name: 'settlement-claim',
    text: `INSERT INTO settlement_claims (chain, order_id, tx_hash, log_index)
           SELECT $1, $2, * FROM unnest($3::text[], $4::integer[])`,
    values: [chain, orderId, claims.map(({ txHash }) => txHash), claims.map(({ logIndex }) => logIndex)],
  });
}

async function saveFindings(
  client: ClientBase,
  orderId: string,
  { status, nowMs, nextCheckAtMs }: Findings,
  { isOver, proof, problem }: DepositVerdict,
): Promise<void> {
  const text = (amount: bigint | null) => (amount === null ? null : String(amount));
  await client.query({
    name: 'deposit-save',
    text: `UPDATE deposits SET state = $2, deposit_tx = coalesce($3, deposit_tx), delivery_tx = coalesce($4, delivery_tx),
             deposited = coalesce($5, deposited), amount_in = coalesce($6, amount_in),
             amount_out = coalesce($7, amount_out), refunded = coalesce($8, refunded),
             refund_reason = coalesce($9, refund_reason), settlement_proof = coalesce($10, settlement_proof),
             problem = $11, answered_at = $12, check_at = $13, closed_at = $14,
             deposit_txs = CASE WHEN cardinality($15::text[]) > 0 THEN $15::text[] ELSE deposit_txs END
           WHERE order_id = $1`,
    values: [
      orderId,
      status.state,
      status.depositTxs[0] ?? null,
      status.deliveryTxs[0] ?? null,
      text(status.depositedAtomic),
      text(status.amountInAtomic),
      text(status.amountOutAtomic),
      text(status.refundedAtomic),
      status.refundReason,
      proof,
      problem,
      new Date(nowMs),
      new Date(nextCheckAtMs),
      isOver ? new Date(nowMs) : null,
      status.depositTxs,
    ],
  });
}

function fromDueRow(row: DueRow): DueDeposit {
  return {
    orderId: row.order_id,
    deposit: { address: row.address, memo: row.memo },
    reportedTx: row.reported_tx,
    problem: row.problem,
    settleChain: row.settle_chain,
    settleToken: row.settle_token,
    merchantAddress: row.merchant_address,
    createdAtMs: row.created_at.getTime(),
    expiresAtMs: row.expires_at.getTime(),
    deadlineMs: row.deadline.getTime(),
  };
}
