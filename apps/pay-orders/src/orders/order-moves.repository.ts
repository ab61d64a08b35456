import { orderEvents as told } from '@tollbridge/contracts';
import type { CallContext } from '@tollbridge/rpc';
import type { ClientBase, Pool } from 'pg';
import { arrivedStates, moveOf, orderEvents, toldAs, type OrderEvent } from './order';

/** One order to move, with what the event brings along. */
export interface OrderMove {
  orderId: string;
  /** The paying transaction, or the reason of a rejection. */
  detail?: string;
  /** The block of a payment that was seen. */
  height?: number;
  /** What the merchant received across chains, and by which transaction. */
  settleTx?: string;
  amount?: bigint;
  /** Dollars that the merchant amount is worth, for an order that is settled; null without a price. */
  valueUsd?: string | null;
}

// A reorganisation takes a settlement back, not what the order was worth when it was first settled.
const keepValue = 'settled_value_usd = coalesce(o.settled_value_usd, t.value_usd)';

/** What each event changes besides the state; `t` is the move, `o` the order, $4 the time. */
const changes: Record<OrderEvent, string> = {
  // An honest report is settled by the watcher within a block or two: only what is left then needs judging.
  paymentReported: `pay_tx = t.detail, pay_tx_since = $4, reported_at = $4, judge_at = $4::timestamptz + interval '1 second'`,
  paymentSeen: `pay_tx = coalesce(t.detail, o.pay_tx), paid_height = t.height, pay_tx_since = NULL, failure_reason = NULL,
                late = o.late OR o.status IN ('failed', 'expired')`,
  paymentConfirmed: `settle_tx = o.pay_tx, settled_amount = o.merchant_amount, ${keepValue}`,
  delivered: `settle_tx = t.settle_tx, settled_amount = t.amount, ${keepValue}`,
  deliveredShort: 'settle_tx = t.settle_tx, settled_amount = t.amount, failure_reason = t.detail',
  paymentRejected: 'failure_reason = t.detail, pay_tx_since = NULL',
  paymentReorged:
    'settle_tx = NULL, settled_amount = NULL, paid_height = NULL, pay_tx_since = $4, judge_at = $4',
  timeRanOut: 'pay_tx_since = NULL',
};

/** Rechecked under the row lock, where the state alone does not say enough. */
const conditions: Partial<Record<OrderEvent, string>> = {
  // A payment that is found while its report is judged wins.
  paymentRejected: 'AND o.paid_height IS NULL',
};

const quoted = (states: readonly string[]): string => states.map((state) => `'${state}'`).join(', ');

const utc = (column: string) => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/**
 * The outbox rows of orders in the CTE `moved`, each told as `type`; the others are SQL expressions. This is the one place
 * where events of orders are written.
 */
export function tell(
  type: keyof typeof told,
  requestId: string,
  traceparent: string,
  occurredAt = 'm.updated_at',
): string {
  const { subject, version } = told[type];
  return `INSERT INTO outbox (id, subject, aggregate_id, payload)
    SELECT m.event_id, '${subject}', m.id::text, json_build_object(
      'id', m.event_id, 'type', '${type}', 'version', ${version}, 'aggregateId', m.id, 'aggregateVersion', m.version,
      'occurredAt', ${utc(occurredAt)}, 'requestId', ${requestId}, 'traceparent', ${traceparent},
      'data', json_build_object(
        'order_id', m.id, 'status', m.status, 'method', m.method, 'merchant_id', m.merchant_id,
        'merchant_address', m.merchant_address, 'payer_address', m.payer_address,
        'pay_blockchain', m.pay_chain, 'pay_token', m.pay_token,
        'settle_chain', m.settle_chain, 'settle_token', m.settle_token,
        'merchant_amount', m.merchant_amount::text, 'fee_amount', m.fee_amount::text,
        'refunded_amount', CASE m.method WHEN 'CrossChain' THEN
          (SELECT d.refunded::text FROM deposits d WHERE d.order_id = m.id AND d.refunded > 0) END,
        'refund_account', m.is_payerless,
        'forwarded_amount', CASE WHEN m.is_payerless THEN
          (SELECT sum(r.amount)::text FROM refunds r WHERE r.order_id = m.id AND r.state = 'sent') END,
        'forwarded_tx', CASE WHEN m.is_payerless THEN
          (SELECT r.tx_hash FROM refunds r WHERE r.order_id = m.id AND r.state = 'sent'
           ORDER BY r.updated_at DESC LIMIT 1) END,
        'paid_by', CASE WHEN m.method = 'Direct' AND m.paid_height IS NOT NULL THEN
          (SELECT p.payer FROM payments p WHERE p.order_id = m.id AND NOT p.removed AND p.mismatch IS NULL LIMIT 1) END,
        'payment_seen', CASE m.method WHEN 'CrossChain' THEN
          coalesce((SELECT d.state IN (${quoted(arrivedStates)}) FROM deposits d WHERE d.order_id = m.id), false)
          ELSE m.paid_height IS NOT NULL END,
        'pay_tx', m.pay_tx, 'settle_tx', m.settle_tx, 'settled_amount', m.settled_amount::text,
        'failure_reason', m.failure_reason, 'late', m.late, 'created_by', m.created_by,
        'settled_value_usd', m.settled_value_usd::text, 'version', m.version, 'updated_at', ${utc('m.updated_at')}))
    FROM (SELECT gen_random_uuid() AS event_id, moved.* FROM moved OFFSET 0) m`;
}

function moveStatement(event: OrderEvent): { name: string; text: string } {
  const { from, to } = moveOf(event);
  const text = `
    WITH target AS (
      SELECT o.id FROM orders o
      WHERE o.id = ANY($1::uuid[]) AND o.status IN (${quoted(from)}) ${conditions[event] ?? ''}
      ORDER BY o.id FOR UPDATE
    ), moved AS (
      UPDATE orders o SET status = '${to}', version = o.version + 1, updated_at = $4, ${changes[event]}
      FROM target, unnest($1::uuid[], $2::text[], $3::bigint[], $7::text[], $8::numeric[], $9::numeric[])
        AS t (id, detail, height, settle_tx, amount, value_usd)
      WHERE o.id = target.id AND t.id = o.id RETURNING o.*
    ), told AS (${tell(toldAs[event], '$5::text', '$6::text')})
    SELECT id FROM moved`;
  return { name: `orders-${event}`, text };
}

const reported = moveOf('paymentReported');

/**
 * `paymentReported` for many direct orders at once: those that can be reported, by transactions that nobody else claims.
 * One report per order is looked at; answers the ids and transactions that were taken.
 */
export const reportStatement = {
  name: 'orders-report-group',
  text: `
    WITH given AS (
      SELECT DISTINCT ON (id) * FROM unnest($1::uuid[], $2::text[], $4::text[], $5::text[])
        AS g (id, detail, request_id, traceparent) ORDER BY id
    ), target AS (
      SELECT o.id, o.pay_chain FROM orders o
      WHERE o.id = ANY($1::uuid[]) AND o.method = 'Direct' AND o.status IN (${quoted(reported.from)})
      ORDER BY o.id FOR UPDATE
    ), claimed AS (
      INSERT INTO tx_claims (chain, tx_hash, order_id)
      SELECT target.pay_chain, given.detail, target.id FROM target JOIN given USING (id) ORDER BY given.detail
      ON CONFLICT DO NOTHING RETURNING order_id
    ), moved AS (
      UPDATE orders o SET status = '${reported.to}', version = o.version + 1, updated_at = t.now, ${changes.paymentReported.replaceAll('$4', 't.now')}
      FROM claimed, (SELECT given.*, $3::timestamptz AS now FROM given) AS t
      WHERE o.id = claimed.order_id AND t.id = o.id RETURNING o.*, t.request_id, t.traceparent
    ), told AS (${tell(toldAs.paymentReported, 'm.request_id', 'm.traceparent')})
    SELECT id, pay_tx AS detail FROM moved`,
};

/** A settled order keeps the time of its settlement, by which it is counted; whoever comes second finds its value. */
const valueStatement = {
  name: 'orders-value',
  text: `
    WITH target AS (
      SELECT o.id FROM orders o
      WHERE o.id = ANY($1::uuid[]) AND o.status = 'settled' AND o.settled_value_usd IS NULL
      ORDER BY o.id FOR UPDATE
    ), moved AS (
      UPDATE orders o SET settled_value_usd = t.value_usd, version = o.version + 1
      FROM target, unnest($1::uuid[], $2::numeric[]) AS t (id, value_usd)
      WHERE o.id = target.id AND t.id = o.id RETURNING o.*
    ), told AS (${tell('order-valued', '$4::text', '$5::text', '$3::timestamptz')})
    SELECT id FROM moved`,
};

const statements = Object.fromEntries(orderEvents.map((event) => [event, moveStatement(event)])) as Record<
  OrderEvent,
  { name: string; text: string }
>;

/**
 * Moves orders by one event, where they are in a state that allows it, and tells it: one statement, so the change and
 * its outbox row are one commit. Answers the ids of those that moved.
 */
export async function moveOrders(
  client: ClientBase | Pool,
  event: OrderEvent,
  moves: readonly OrderMove[],
  nowMs: number,
  context: CallContext,
): Promise<string[]> {
  if (moves.length === 0) return [];
  const { rows } = await client.query<{ id: string }>({
    ...statements[event],
    values: [
      moves.map(({ orderId }) => orderId),
      moves.map(({ detail }) => detail ?? null),
      moves.map(({ height }) => height ?? null),
      new Date(nowMs),
      context.requestId,
      context.traceparent,
      moves.map(({ settleTx }) => settleTx ?? null),
      moves.map(({ amount }) => (amount === undefined ? null : String(amount))),
      moves.map(({ valueUsd }) => valueUsd ?? null),
    ],
  });
  return rows.map(({ id }) => id);
}

/**
 * Publishes `order-settling` for those of the orders that are settling: `payment_seen` has changed, but not their state.
 * The caller's transaction holds their locks.
 */
export async function publishSettling(
  client: ClientBase,
  ids: readonly string[],
  nowMs: number,
  { requestId, traceparent }: CallContext,
): Promise<void> {
  if (ids.length === 0) return;
  await client.query({
    name: 'orders-publish-settling',
    text: `WITH moved AS (
             UPDATE orders o SET version = o.version + 1, updated_at = $2
             WHERE o.id = ANY($1::uuid[]) AND o.status = 'settling' RETURNING o.*)
           ${tell('order-settling', '$3::text', '$4::text')}`,
    values: [ids, new Date(nowMs), requestId, traceparent],
  });
}

/**
 * Publishes `order-refunded`: a refund was forwarded to the sender of the deposit. The state of the order stays, and so
 * does its time, by which settled orders are counted.
 */
export async function publishRefunded(
  client: ClientBase,
  id: string,
  nowMs: number,
  { requestId, traceparent }: CallContext,
): Promise<void> {
  await client.query({
    name: 'orders-publish-refunded',
    text: `WITH moved AS (UPDATE orders o SET version = o.version + 1 WHERE o.id = $1 RETURNING o.*)
           ${tell('order-refunded', '$3::text', '$4::text', '$2::timestamptz')}`,
    values: [id, new Date(nowMs), requestId, traceparent],
  });
}

/** What a settled order is worth, in dollars. */
export interface OrderValue {
  orderId: string;
  valueUsd: string;
}

/**
 * Gives settled orders without a value theirs, and tells it, in one statement; an order that is not settled any more, or
 * has a value, stays as it is. Answers the ids of those that were valued.
 */
export async function valueOrders(
  client: ClientBase | Pool,
  values: readonly OrderValue[],
  nowMs: number,
  { requestId, traceparent }: CallContext,
): Promise<string[]> {
  if (values.length === 0) return [];
  const { rows } = await client.query<{ id: string }>({
    ...valueStatement,
    values: [
      values.map(({ orderId }) => orderId),
      values.map(({ valueUsd }) => valueUsd),
      ...[new Date(nowMs), requestId, traceparent],
    ],
  });
  return rows.map(({ id }) => id);
}
