import type { TransactionClient } from '@tollbridge/database';
import {
  orderEvents as orderEventTypes,
  type OrderChanged,
  type OrderExceptionKind,
} from '@tollbridge/contracts';
import type { CallContext } from '@tollbridge/rpc';
import type { Pool } from 'pg';
import { v7 as uuid } from 'uuid';
import { arrivedStates, transitionOf, orderEvents, eventTypeOf, type OrderEvent } from '../order';

/** One order to change, with the facts that the event contains. */
export interface OrderTransition {
  orderId: string;
  /** The paying transaction, or the reason for a rejection. */
  detail?: string;
  /** The height of the block with the payment. */
  height?: number;
  /** The transaction and amount that a cross-chain delivery paid to the merchant. */
  settleTx?: string;
  amount?: bigint;
  /** The value of the merchant amount in dollars, for a settled order; null without a price. */
  valueUsd?: string | null;
}

// A reorganisation reverts a settlement, but the value of the first settlement stays.
const firstValue = 'settled_value_usd = coalesce(o.settled_value_usd, t.value_usd)';

// Uses SQL because transitions of many orders are one statement (benchmark "payment mined to settled").

/** Columns that each event sets in addition to the state; `t` is the transition, `o` the order, $4 the time. */
const changes: Record<OrderEvent, string> = {
  // The watcher settles an honest report within a block or two, so only the remaining reports are verified.
  paymentReported: `pay_tx = t.detail, pay_tx_since = $4, reported_at = $4, last_report_tx = t.detail,
                    last_report_reason = NULL, judge_at = $4::timestamptz + interval '1 second'`,
  paymentSeen: `pay_tx = coalesce(t.detail, o.pay_tx), paid_height = t.height, pay_tx_since = NULL, failure_reason = NULL,
                last_report_reason = CASE WHEN o.last_report_tx <> t.detail THEN o.last_report_reason END,
                late = o.late OR o.status IN ('failed', 'expired')`,
  paymentConfirmed: `settle_tx = o.pay_tx, settled_amount = o.merchant_amount, ${firstValue}`,
  delivered: `settle_tx = t.settle_tx, settled_amount = t.amount, ${firstValue}`,
  deliveredShort: 'settle_tx = t.settle_tx, settled_amount = t.amount, failure_reason = t.detail',
  paymentRejected: 'failure_reason = t.detail, pay_tx_since = NULL',
  reportRejected: `last_report_tx = o.pay_tx, last_report_reason = t.detail, pay_tx = NULL, pay_tx_since = NULL`,
  paymentReorged:
    'settle_tx = NULL, settled_amount = NULL, paid_height = NULL, pay_tx_since = $4, judge_at = $4',
  timeRanOut: 'pay_tx_since = NULL',
};

/** Further conditions, evaluated under the row lock. */
const conditions: Partial<Record<OrderEvent, string>> = {
  // A payment that is found during the verification of its report has priority.
  paymentRejected: 'AND o.paid_height IS NULL',
  reportRejected: 'AND o.paid_height IS NULL',
};

const quoted = (states: readonly string[]): string => states.map((state) => `'${state}'`).join(', ');

const utc = (column: string) => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/**
 * The payload of an order event: one SQL expression for each field of the declared class, over the changed order `m`.
 * TypeScript would need the changed row first, which costs another round trip per order. Figures: "report a
 * transaction" and "mined to settled" in docs/performance.md. Tests decode each event with its class.
 */
const payloadColumns: Record<Exclude<keyof OrderChanged, 'exception'>, string> = {
  order_id: 'm.id',
  status: 'm.status',
  method: 'm.method',
  merchant_id: 'm.merchant_id',
  merchant_address: 'm.merchant_address',
  payer_address: 'm.payer_address',
  pay_blockchain: 'm.pay_chain',
  pay_token: 'm.pay_token',
  settle_chain: 'm.settle_chain',
  settle_token: 'm.settle_token',
  merchant_amount: 'm.merchant_amount::text',
  price: `m.conversion->'price'`,
  rate: `m.conversion->'rate'`,
  fee_amount: 'm.fee_amount::text',
  refunded_amount: `CASE m.method WHEN 'CrossChain' THEN
    (SELECT d.refunded::text FROM deposits d WHERE d.order_id = m.id AND d.refunded > 0) END`,
  refund_account: 'm.is_payerless',
  forwarded_amount: `CASE WHEN m.is_payerless THEN
    (SELECT sum(r.amount)::text FROM refunds r WHERE r.order_id = m.id AND r.state = 'sent') END`,
  forwarded_tx: `CASE WHEN m.is_payerless THEN
    (SELECT r.tx_hash FROM refunds r WHERE r.order_id = m.id AND r.state = 'sent'
     ORDER BY r.updated_at DESC LIMIT 1) END`,
  paid_by: `CASE WHEN m.method = 'Direct' AND m.paid_height IS NOT NULL THEN
    (SELECT p.payer FROM payments p WHERE p.order_id = m.id AND NOT p.removed AND p.mismatch IS NULL LIMIT 1) END`,
  payment_seen: `CASE m.method WHEN 'CrossChain' THEN
    coalesce((SELECT d.state IN (${quoted(arrivedStates)}) FROM deposits d WHERE d.order_id = m.id), false)
    ELSE m.paid_height IS NOT NULL END`,
  pay_tx: 'm.pay_tx',
  settle_tx: 'm.settle_tx',
  settled_amount: 'm.settled_amount::text',
  failure_reason: 'm.failure_reason',
  last_report_tx: 'm.last_report_tx',
  last_report_reason: 'm.last_report_reason',
  late: 'm.late',
  created_by: 'm.created_by',
  settled_value_usd: 'm.settled_value_usd::text',
  version: 'm.version',
  updated_at: utc('m.updated_at'),
};

const payload = Object.entries(payloadColumns)
  .map(([field, column]) => `'${field}', ${column}`)
  .join(', ');

/**
 * Inserts an event of each order in the CTE `changed` into the outbox. Parameters after `type` are SQL expressions.
 * @param exception the payload of `order-exception`
 */
export function insertEvents(
  type: keyof typeof orderEventTypes,
  requestId: string,
  traceparent: string,
  occurredAt = 'm.updated_at',
  exception = 'NULL',
): string {
  const { subject, version } = orderEventTypes[type];
  return `INSERT INTO outbox (id, subject, aggregate_id, payload)
    SELECT m.event_id, '${subject}', m.id::text, json_build_object(
      'id', m.event_id, 'type', '${type}', 'version', ${version}, 'aggregateId', m.id, 'aggregateVersion', m.version,
      'occurredAt', ${utc(occurredAt)}, 'requestId', ${requestId}, 'traceparent', ${traceparent},
      'data', json_build_object(${payload}, 'exception', ${exception}))
    FROM (SELECT gen_random_uuid() AS event_id, changed.* FROM changed OFFSET 0) m`;
}

function transitionStatement(event: OrderEvent): { name: string; text: string } {
  const { from, to } = transitionOf(event);
  const text = `
    WITH target AS (
      SELECT o.id FROM orders o
      WHERE o.id = ANY($1::uuid[]) AND o.status IN (${quoted(from)}) ${conditions[event] ?? ''}
      ORDER BY o.id FOR UPDATE
    ), changed AS (
      UPDATE orders o SET status = '${to}', version = o.version + 1, updated_at = $4, ${changes[event]}
      FROM target, unnest($1::uuid[], $2::text[], $3::bigint[], $7::text[], $8::numeric[], $9::numeric[])
        AS t (id, detail, height, settle_tx, amount, value_usd)
      WHERE o.id = target.id AND t.id = o.id RETURNING o.*
    ), published AS (${insertEvents(eventTypeOf[event], '$5::text', '$6::text')})
    SELECT id FROM changed`;
  return { name: `orders-${event}`, text };
}

const reported = transitionOf('paymentReported');

/**
 * `paymentReported` for many direct orders at once ("report a transaction" in docs/performance.md). Accepts one report
 * per order, for a transaction that no other order claims. Returns the accepted ids and transactions.
 */
export const reportStatement = {
  name: 'orders-report-group',
  text: `
    WITH given AS (
      SELECT DISTINCT ON (id) * FROM unnest($1::uuid[], $2::text[], $4::text[], $5::text[], $6::text[])
        AS g (id, detail, request_id, traceparent, chains) ORDER BY id
    ), target AS (
      SELECT o.id, o.pay_chain FROM orders o JOIN given USING (id)
      WHERE o.id = ANY($1::uuid[]) AND o.method = 'Direct' AND o.status IN (${quoted(reported.from)})
        AND o.pay_chain = ANY (string_to_array(given.chains, ' '))
      ORDER BY o.id FOR UPDATE OF o
    ), claimed AS (
      INSERT INTO tx_claims (chain, tx_hash, order_id)
      SELECT target.pay_chain, given.detail, target.id FROM target JOIN given USING (id) ORDER BY given.detail
      ON CONFLICT DO NOTHING RETURNING order_id
    ), changed AS (
      UPDATE orders o SET status = '${reported.to}', version = o.version + 1, updated_at = t.now, ${changes.paymentReported.replaceAll('$4', 't.now')}
      FROM claimed, (SELECT given.*, $3::timestamptz AS now FROM given) AS t
      WHERE o.id = claimed.order_id AND t.id = o.id RETURNING o.*, t.request_id, t.traceparent
    ), published AS (${insertEvents(eventTypeOf.paymentReported, 'm.request_id', 'm.traceparent')})
    SELECT id, pay_tx AS detail FROM changed`,
};

/** `updated_at` stays the time of the settlement, because statistics count the order at that time. */
const valueStatement = {
  name: 'orders-value',
  text: `
    WITH target AS (
      SELECT o.id FROM orders o
      WHERE o.id = ANY($1::uuid[]) AND o.status = 'settled' AND o.settled_value_usd IS NULL
      ORDER BY o.id FOR UPDATE
    ), changed AS (
      UPDATE orders o SET settled_value_usd = t.value_usd, version = o.version + 1
      FROM target, unnest($1::uuid[], $2::numeric[]) AS t (id, value_usd)
      WHERE o.id = target.id AND t.id = o.id RETURNING o.*
    ), published AS (${insertEvents('order-valued', '$4::text', '$5::text', '$3::timestamptz')})
    SELECT id FROM changed`,
};

const statements = Object.fromEntries(
  orderEvents.map((event) => [event, transitionStatement(event)]),
) as Record<OrderEvent, { name: string; text: string }>;

/**
 * Applies an event to the orders in a state that allows it. One statement changes the order and inserts its outbox row.
 * @returns the ids of the changed orders
 */
export async function transitionOrders(
  client: TransactionClient | Pool,
  event: OrderEvent,
  targets: readonly OrderTransition[],
  nowMs: number,
  context: CallContext,
): Promise<string[]> {
  if (targets.length === 0) return [];
  const { rows } = await client.query<{ id: string }>({
    ...statements[event],
    values: [
      targets.map(({ orderId }) => orderId),
      targets.map(({ detail }) => detail ?? null),
      targets.map(({ height }) => height ?? null),
      new Date(nowMs),
      context.requestId,
      context.traceparent,
      targets.map(({ settleTx }) => settleTx ?? null),
      targets.map(({ amount }) => (amount === undefined ? null : String(amount))),
      targets.map(({ valueUsd }) => valueUsd ?? null),
    ],
  });
  return rows.map(({ id }) => id);
}

/**
 * Publishes `order-settling` for settling orders when `payment_seen` changed but their state did not. The caller's
 * transaction holds their locks.
 */
export async function publishSettling(
  client: TransactionClient,
  ids: readonly string[],
  nowMs: number,
  { requestId, traceparent }: CallContext,
): Promise<void> {
  if (ids.length === 0) return;
  await client.query({
    name: 'orders-publish-settling',
    text: `WITH changed AS (
             UPDATE orders o SET version = o.version + 1, updated_at = $2
             WHERE o.id = ANY($1::uuid[]) AND o.status = 'settling' RETURNING o.*)
           ${insertEvents('order-settling', '$3::text', '$4::text')}`,
    values: [ids, new Date(nowMs), requestId, traceparent],
  });
}

/**
 * Publishes `order-refunded` after a refund was forwarded to the sender of the deposit. Does not change state and
 * `updated_at` of the order.
 */
export async function publishRefunded(
  client: TransactionClient,
  id: string,
  nowMs: number,
  { requestId, traceparent }: CallContext,
): Promise<void> {
  await client.query({
    name: 'orders-publish-refunded',
    text: `WITH changed AS (UPDATE orders o SET version = o.version + 1 WHERE o.id = $1 RETURNING o.*)
           ${insertEvents('order-refunded', '$3::text', '$4::text', '$2::timestamptz')}`,
    values: [id, new Date(nowMs), requestId, traceparent],
  });
}

/** A transfer of an order that the order's status does not show. */
export interface NewException {
  kind: OrderExceptionKind;
  chain: string;
  token: string;
  amountAtomic: bigint;
  txHash: string | null;
  reason: string;
}

const exceptionFields = `json_build_object('id', e.id, 'kind', e.kind, 'chain', e.chain, 'token', e.token,
  'amount', e.amount::text, 'tx_hash', e.tx_hash, 'reason', e.reason, 'seen_at', ${utc('e.seen_at')})`;

/** Stores an exception and publishes `order-exception`. The caller's transaction holds the lock of the order. */
export async function recordException(
  client: TransactionClient,
  orderId: string,
  { kind, chain, token, amountAtomic, txHash, reason }: NewException,
  nowMs: number,
  { requestId, traceparent }: CallContext,
): Promise<void> {
  await client.query({
    name: 'order-exception',
    text: `WITH stored AS (
             INSERT INTO order_exceptions (id, order_id, kind, chain, token, amount, tx_hash, reason, seen_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) RETURNING *
           ), changed AS (
             UPDATE orders o SET version = o.version + 1, has_exceptions = true WHERE o.id = $2 RETURNING o.*
           )
           ${insertEvents('order-exception', '$10::text', '$11::text', '$9::timestamptz', `(SELECT ${exceptionFields} FROM stored e)`)}`,
    values: [
      uuid(),
      orderId,
      kind,
      chain,
      token,
      String(amountAtomic),
      txHash,
      reason,
      new Date(nowMs),
      requestId,
      traceparent,
    ],
  });
}

/** The dollar value of a settled order. */
export interface OrderValue {
  orderId: string;
  valueUsd: string;
}

/**
 * Sets the value of settled orders that have none, and publishes `order-valued`.
 * @returns the ids of these orders
 */
export async function valueOrders(
  client: TransactionClient | Pool,
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
      new Date(nowMs),
      requestId,
      traceparent,
    ],
  });
  return rows.map(({ id }) => id);
}
