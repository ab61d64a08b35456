import { Injectable } from '@nestjs/common';
import { Database, transaction, type TransactionClient } from '@tollbridge/database';
import type { CallContext } from '@tollbridge/rpc';
import type { Pool, PoolClient } from 'pg';
import { isEndedBy, send, type Attempt, type Attempted } from './attempt';
import { attemptOf, rowOf, type AttemptRow } from './attempt-row';
import { lockRequest } from '../requests/payment-requests.repository';
import { findPayment, type Followed, type Payment } from '../payments.repository';
import { publishPaymentsOf } from '../publish-payments';
import { canBePaid } from '../payment-view';
import type { PaymentRequest } from '../payment';

// Longer than a node takes to answer, so that no other replica looks up the same transaction meanwhile.
const checkLeaseMs = 15_000;

/**
 * Stores the newest attempt of each request. Every change runs under the lock of the request. Uses SQL for upserts and
 * leases.
 */
@Injectable()
export class PaymentAttemptsRepository {
  private readonly pool: Pool;

  constructor({ pool }: Database) {
    this.pool = pool;
  }

  /**
   * Changes the attempt of a payment's request. Publishes the request's payments when payers see a difference.
   * @param decide receives the current attempt, and returns undefined for no change
   * @returns undefined for an unknown payment
   */
  async change<T>(
    paymentId: string,
    decide: (before: Attempt | undefined, paid: Attempted) => { outcome: T; attempt?: Attempt },
    context: CallContext,
  ): Promise<T | undefined> {
    return transaction(this.pool, async (client) => {
      const requestId = await requestOf(client, paymentId);
      const request = requestId && (await lockRequest(client, requestId));
      const payment = await findPayment(client, paymentId);
      if (!request || !payment) return undefined;
      const before = (await attemptsOf(client, [request.id])).get(request.id);
      const { outcome, attempt } = decide(before, attemptedOf(payment, request));
      if (attempt) await save(client, [attempt]);
      if (attempt && isNews(before, attempt)) await publishPaymentsOf(client, request.id, context);
      return outcome;
    });
  }

  /** Leases attempts that are due for a lookup of their transaction. */
  async takeDue(nowMs: number, limit: number): Promise<Attempt[]> {
    const { rows } = await this.pool.query<AttemptRow>({
      name: 'attempts-due',
      text: `UPDATE payment_attempts SET check_at = $2 WHERE request_id = ANY(ARRAY(
               SELECT request_id FROM payment_attempts WHERE check_at <= $1
               ORDER BY check_at LIMIT $3 FOR UPDATE SKIP LOCKED))
             RETURNING *`,
      values: [new Date(nowMs), new Date(nowMs + checkLeaseMs), limit],
    });
    return rows.map(attemptOf);
  }
}

/** Applies order events to attempts. The caller's transaction has locked their requests. */
export async function followAttempts(
  client: PoolClient,
  followed: readonly Followed[],
  nowMs: number,
): Promise<void> {
  if (followed.length === 0) return;
  const attempts = await attemptsOf(client, [...new Set(followed.map(({ payment }) => payment.requestId))]);
  const changed = new Map<string, Attempt>();
  for (const it of followed) {
    const { requestId } = it.payment;
    const before = attempts.get(requestId);
    const attempt = after(before, it, nowMs);
    if (!attempt || attempt === before) continue;
    attempts.set(requestId, attempt);
    changed.set(requestId, attempt);
  }
  await save(client, [...changed.values()]);
}

function after(
  attempt: Attempt | undefined,
  { before, payment, request }: Followed,
  nowMs: number,
): Attempt | undefined {
  const { orderVersion: version, isSeen, status, payTx } = payment;
  const isUnseen = payment.orderStatus === 'settling' && !isSeen && payTx !== null;
  // A hash was submitted through the API or by a page, or a block with the payment was dropped.
  if (isUnseen && (before.payTx !== payTx || before.isSeen)) {
    const sent = { holder: 'order', version, txHash: payTx };
    return send(attempt, attemptedOf(payment, request), sent, nowMs).attempt;
  }
  if (attempt?.paymentId !== payment.id || !isEndedBy(attempt, { version, isSeen, status })) return undefined;
  if (status === 'failed' && attempt.txHash !== null && attempt.txHash === payTx)
    return { ...attempt, state: 'failed', checkAtMs: null };
  return attempt.state === 'over' ? undefined : { ...attempt, state: 'over', checkAtMs: null };
}

/** Whether the pages show a difference. A renewed attempt looks the same. */
const isNews = (before: Attempt | undefined, { state, txHash, isWeak, holder, blocksUntilMs }: Attempt) =>
  before?.state !== state ||
  before.txHash !== txHash ||
  before.isWeak !== isWeak ||
  before.holder !== holder ||
  (state === 'sent' && before.blocksUntilMs < blocksUntilMs) ||
  blocksUntilMs < before.blocksUntilMs;

function attemptedOf(payment: Payment, request: PaymentRequest): Attempted {
  const others = request.seenPayments - Number(payment.isSeen);
  return {
    requestId: payment.requestId,
    paymentId: payment.id,
    orderId: payment.orderId,
    orderVersion: payment.orderVersion,
    status: payment.status,
    isPayable: canBePaid(payment) && (request.canceledAtMs === null || payment.isSeen),
    isPaidElsewhere: request.completedPayments > 0 || others > 0,
  };
}

async function requestOf(client: PoolClient, paymentId: string): Promise<string | undefined> {
  const { rows } = await client.query<{ request_id: string }>({
    name: 'payment-request-of',
    text: 'SELECT request_id FROM payments WHERE id = $1 AND order_id IS NOT NULL',
    values: [paymentId],
  });
  return rows[0]?.request_id;
}

async function attemptsOf(
  client: TransactionClient,
  requestIds: readonly string[],
): Promise<Map<string, Attempt>> {
  const { rows } = await client.query<AttemptRow>({
    name: 'attempts-by-request',
    text: 'SELECT * FROM payment_attempts WHERE request_id = ANY($1::uuid[])',
    values: [requestIds],
  });
  return new Map(rows.map((row) => [row.request_id, attemptOf(row)]));
}

async function save(client: TransactionClient, attempts: readonly Attempt[]): Promise<void> {
  if (attempts.length === 0) return;
  await client.query({
    name: 'attempts-save',
    text: `INSERT INTO payment_attempts SELECT * FROM json_populate_recordset(NULL::payment_attempts, $1)
           ON CONFLICT (request_id) DO UPDATE SET payment_id = excluded.payment_id, order_id = excluded.order_id,
             order_version = excluded.order_version, holder = excluded.holder, state = excluded.state,
             tx_hash = excluded.tx_hash, is_weak = excluded.is_weak, declines = excluded.declines,
             started_at = excluded.started_at, blocks_until = excluded.blocks_until, check_at = excluded.check_at`,
    values: [JSON.stringify(attempts.map(rowOf))],
  });
}
