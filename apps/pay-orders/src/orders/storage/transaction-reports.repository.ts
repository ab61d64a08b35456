import { Injectable } from '@nestjs/common';
import type { CallContext } from '@tollbridge/rpc';
import { Batcher, Database, storeReply, transaction, type TransactionClient } from '@tollbridge/database';
import type { Pool } from 'pg';
import { displaceReports, followClaimed } from '../../payments/displaced-reports.repository';
import { publishSettling, reportStatement, transitionOrders } from './order-transitions.repository';

export type ReportOutcome = 'reported' | 'notWaiting' | 'claimedByAnother' | 'notOfThisChain';

interface Report {
  id: string;
  txHash: string;
  /** The ids of the chains with direct payments where this hash is possible. */
  directChains: readonly string[];
  /** Whether the chain shows that the transaction pays the order. */
  isPayment?: boolean;
  nowMs: number;
  context: CallContext;
}

type Reportable = {
  status: string;
  method: string;
  pay_chain: string;
  pay_tx: string | null;
  paid_height: string | null;
  last_report_tx: string | null;
};

// Large enough that concurrent requests share a commit, and small enough for one fast statement.
const maxGroup = 128;

/**
 * Stores reported transactions. Concurrent reports share statements, see "report a transaction" in docs/performance.md.
 */
@Injectable()
export class TransactionReportsRepository {
  private readonly pool: Pool;
  private readonly reports: Batcher<Report, boolean>;

  constructor({ pool, onGroupFailure: onFailure }: Database) {
    this.pool = pool;
    this.reports = new Batcher((group) => this.reportAll(group), { maxGroup, maxConcurrent: 3, onFailure });
  }

  /**
   * Stores a reported transaction, once per order and once per transaction. Valid reports share a statement. A rejected
   * report runs again alone to find the error. A call with an idempotency key runs alone to store `reply` for replays.
   */
  async report(report: Report, reply: object): Promise<ReportOutcome> {
    const isShared = !report.context.claim && report.directChains.length > 0;
    if (isShared && (await this.reports.add(report))) return 'reported';
    return this.reportAlone(report, reply);
  }

  /** @param report with `isPayment`, it also replaces a reported transaction that is still being verified */
  reportAlone(report: Report, reply: object): Promise<ReportOutcome> {
    return transaction(this.pool, async (client) => {
      const outcome = await reportAlone(client, report);
      if (outcome === 'reported') await storeReply(client, report.context, reply);
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
}

/** Also accepts the first report of a payment that the watcher has already found, because the watcher may be faster. */
async function reportAlone(client: TransactionClient, report: Report): Promise<ReportOutcome> {
  const { id, txHash, directChains, isPayment = false, nowMs, context } = report;
  const { rows } = await client.query<Reportable>({
    name: 'order-lock',
    text: 'SELECT status, method, pay_chain, pay_tx, paid_height, last_report_tx FROM orders WHERE id = $1 FOR UPDATE',
    values: [id],
  });
  const order = rows[0];
  // True even after the report of another transaction, which another client may have made.
  const isFound =
    order?.pay_tx === txHash &&
    order.last_report_tx !== txHash &&
    ['settling', 'settled'].includes(order.status);
  // The report of another client must not prevent the payer from reporting.
  const isReplacing =
    isPayment && order?.status === 'settling' && order.paid_height === null && order.pay_tx !== txHash;
  if (!order || (order.status !== 'waiting_payment' && !isFound && !isReplacing)) return 'notWaiting';
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
      text: 'UPDATE orders SET reported_at = $2, last_report_tx = pay_tx, last_report_reason = NULL WHERE id = $1',
      values,
    });
    return 'reported';
  }
  if (claimed.rowCount === 0) {
    if (order.method === 'Direct')
      await followClaimed(client, { orderId: id, chain: order.pay_chain, txHash }, nowMs);
    return 'claimedByAnother';
  }
  if (isReplacing) return replaceReport(client, report);
  await transitionOrders(client, 'paymentReported', [{ orderId: id, detail: txHash }], nowMs, context);
  if (order.method === 'CrossChain') await hintDeposit(client, id, txHash, nowMs);
  return 'reported';
}

async function replaceReport(
  client: TransactionClient,
  { id, txHash, nowMs, context }: Report,
): Promise<ReportOutcome> {
  await client.query({
    name: 'order-replace-report',
    text: `UPDATE orders SET pay_tx = $2, pay_tx_since = $3, reported_at = $3, last_report_tx = $2,
             last_report_reason = NULL, judge_at = $3 WHERE id = $1`,
    values: [id, txHash, new Date(nowMs)],
  });
  await displaceReports(client, [id], nowMs);
  await publishSettling(client, [id], nowMs, context);
  return 'reported';
}

/** Makes the deposit due now, so that the worker submits the transaction to the provider. */
async function hintDeposit(
  client: TransactionClient,
  id: string,
  txHash: string,
  nowMs: number,
): Promise<void> {
  await client.query({
    name: 'deposit-reported',
    text: 'UPDATE deposits SET reported_tx = $2, check_at = $3 WHERE order_id = $1',
    values: [id, txHash, new Date(nowMs)],
  });
}
