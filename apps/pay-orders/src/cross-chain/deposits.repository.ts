import { Injectable } from '@nestjs/common';
import type { CallContext } from '@tollbridge/rpc';
import { Database, storeReply, transaction } from '@tollbridge/database';
import type { CommittedRoute, Deposit, RouteStatus } from '@tollbridge/routing';
import type { Pool } from 'pg';
import type { Repository } from 'typeorm';
import type { OrderDeposit, OrderTerms } from '../orders/order';
import {
  publishSettling,
  recordException,
  transitionOrders,
} from '../orders/storage/order-transitions.repository';
import type { OrderRow } from '../orders/storage/orders.entity';
import { fromRow } from '../orders/storage/order-rows';
import { insertOrder } from '../orders/storage/orders.repository';
import {
  expectRefund,
  insertRefundAddress,
  type RefundAddress,
} from '../refunds/refund-addresses.repository';
import { evaluateDeposit, nothing, type DepositVerdict } from './deposit';
import {
  isDepositNews,
  movedAfterEnd,
  readState,
  saveFindings,
  type Findings,
} from './deposit-findings.repository';
import { DepositRow } from './deposits.entity';
import { recordOutcome } from './route-commits.repository';
import { claimedByOthers, claimTransfers, forgetFalseReports } from './settlement-claims.repository';

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

/** An open deposit that is due for a request of its status. */
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
  /** When the deposit reached a final state; null before. */
  endedAtMs: number | null;
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
  ended_at: Date | null;
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

/**
 * Reads and writes deposits of cross-chain orders. Uses SQL for leases, and for writes in the transaction that locks
 * the order.
 */
@Injectable()
export class DepositsRepository {
  private readonly pool: Pool;
  private readonly rows: Repository<DepositRow>;

  constructor({ pool, dataSource }: Database) {
    this.pool = pool;
    this.rows = dataSource.getRepository(DepositRow);
  }

  /**
   * Stores the order, its deposit, its event, the outcome of the request and the idempotent reply in one transaction.
   */
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
      await storeReply(client, context, reply);
    });
  }

  /** Leases due deposits, so that other replicas lease others. A deposit with a failed check becomes due again. */
  async takeDue(nowMs: number, limit: number, leaseMs: number): Promise<DueDeposit[]> {
    const { rows } = await this.pool.query<DueRow>({
      name: 'deposits-due',
      text: `WITH due AS (
               SELECT order_id FROM deposits WHERE closed_at IS NULL AND check_at <= $1
               ORDER BY check_at LIMIT $2 FOR UPDATE SKIP LOCKED
             ), taken AS (
               UPDATE deposits d SET check_at = $3 FROM due WHERE d.order_id = due.order_id RETURNING d.*
             )
             SELECT t.order_id, t.address, t.memo, t.reported_tx, t.problem, t.deadline, t.ended_at, o.settle_chain, o.settle_token,
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

  /** Records that the provider has received the payer's transaction. */
  async recordSubmitted(orderId: string, txHash: string): Promise<void> {
    await this.rows.update({ order_id: orderId, reported_tx: txHash }, { reported_tx: null });
  }

  async postpone(orderId: string, checkAtMs: number): Promise<void> {
    await this.rows.update(orderId, { check_at: new Date(checkAtMs) });
  }

  /** Evaluates the findings under the lock of the order, and stores the verdict with its events. */
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
      // A replica that is slower than its lease may come second, so final deposits stay unchanged.
      const before = await readState(client, orderId);
      if (before.isClosed) return nothing;
      const order = fromRow(rows[0]!);
      const transfers = delivery.kind === 'read' ? delivery.transfers : [];
      const claimed = await claimedByOthers(client, orderId, order.settleChain, transfers);
      const endedIn = before.isEnded ? before.state : null;
      const verdict = evaluateDeposit({ order, status, endedIn, delivery, claimed, deadlineMs, nowMs });
      const valueUsd = valueOf(order.settleToken, order.merchantAmount);
      // Saved first, because the events contain the refunded amount.
      await saveFindings(client, orderId, { ...findings, deadlineMs }, verdict);
      for (const { event, change } of verdict.changes)
        await transitionOrders(client, event, [{ orderId, valueUsd, ...change }], nowMs, context);
      // The order is settling already, so the arrival of its deposit does not change its state.
      const isNews = verdict.changes.length === 0 && isDepositNews(before, status);
      if (isNews) await publishSettling(client, [orderId], nowMs, context);
      const refundedAtomic = refundedOf(status) ?? before.refundedAtomic;
      for (const moved of movedAfterEnd(order, before, status))
        await recordException(client, orderId, moved, nowMs, context);
      const hasEnded = verdict.isOver && !before.isEnded;
      const hasRefundNews = hasEnded || refundedAtomic !== before.refundedAtomic;
      if (order.isPayerless && hasRefundNews) await expectRefund(client, orderId, { refundedAtomic, nowMs });
      if (hasEnded) await forgetFalseReports(client, orderId, status.depositTxs);
      await claimTransfers(client, orderId, order.settleChain, verdict.claims);
      return verdict;
    });
  }

  /** @param addresses the spellings of one address */
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

/** When the provider does not return the refunded amount, it is at most the deposit. */
const refundedOf = ({ state, refundedAtomic, depositedAtomic }: RouteStatus): bigint | null =>
  refundedAtomic ?? (state === 'refunded' ? depositedAtomic : null);

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
    endedAtMs: row.ended_at?.getTime() ?? null,
  };
}
