import type { ExceptionKind, ExceptionResolution, PaymentException } from '@tollbridge/contracts';
import { findChain } from '@tollbridge/chains';
import type { TransactionClient } from '@tollbridge/database';
import { v7 as uuid } from 'uuid';
import { notifyMerchant } from '../webhooks/webhook-outbox';

export interface NewException {
  wallet: string;
  /** The subject, for example `paylink:<id of the payment>`. A wallet has at most one exception for each reference. */
  reference: string;
  kind: ExceptionKind;
  paylinkId: string | null;
  orderId: string | null;
  /** The chain's id in the registry. */
  chain: string;
  /** The symbol, or the contract address of an unknown token. */
  token: string;
  amount: bigint;
  txHash: string | null;
  payer: string | null;
  reason: string;
  nowMs: number;
  traceparent?: string | undefined;
}

export interface ExceptionRow {
  id: string;
  kind: ExceptionKind;
  status: PaymentException['status'];
  resolution: ExceptionResolution | null;
  paylink_id: string | null;
  order_id: string | null;
  chain: string;
  token: string;
  amount: string;
  tx_hash: string | null;
  payer: string | null;
  reason: string;
  created_at: Date;
  updated_at: Date;
}

/**
 * Records an exception and notifies the merchant, in the caller's transaction. A repeated call with the same kind and
 * amount changes nothing. An exception that was resolved as `reverted` or `completed` is reopened.
 */
export async function recordException(client: TransactionClient, exception: NewException): Promise<void> {
  const { wallet, nowMs, traceparent } = exception;
  const { rows } = await client.query<ExceptionRow>({
    name: 'exception-record',
    text: `INSERT INTO payment_exceptions AS e (id, wallet, reference, kind, status, paylink_id, order_id, chain, token,
             amount, tx_hash, payer, reason, created_at, updated_at)
           VALUES ($1, $2, $3, $4, 'open', $5, $6, $7, $8, $9, $10, $11, $12, $13, $13)
           ON CONFLICT (wallet, reference) DO UPDATE SET kind = excluded.kind, status = 'open', resolution = NULL,
             amount = excluded.amount, tx_hash = excluded.tx_hash, payer = excluded.payer, reason = excluded.reason,
             updated_at = greatest(e.created_at, excluded.updated_at)
           WHERE (e.kind, e.amount) <> (excluded.kind, excluded.amount) OR e.resolution IN ('reverted', 'completed')
           RETURNING *`,
    values: [
      uuid({ msecs: nowMs }),
      wallet,
      exception.reference,
      exception.kind,
      exception.paylinkId,
      exception.orderId,
      exception.chain,
      exception.token,
      String(exception.amount),
      exception.txHash,
      exception.payer,
      exception.reason,
      new Date(nowMs),
    ],
  });
  const data = rows.map(exceptionView)[0];
  if (data)
    await notifyMerchant(client, {
      wallet,
      type: 'payment.exception',
      data,
      nowMs,
      ...(traceparent !== undefined && { traceparent }),
    });
}

/** Resolves the open exception of a reference, and notifies the merchant. */
export async function resolveException(
  client: TransactionClient,
  {
    wallet,
    reference,
    resolution,
    nowMs,
  }: Pick<NewException, 'wallet' | 'reference' | 'nowMs'> & {
    resolution: ExceptionResolution;
  },
): Promise<void> {
  const { rows } = await client.query<ExceptionRow>({
    name: 'exception-resolve',
    text: `UPDATE payment_exceptions SET status = 'resolved', resolution = $3, updated_at = greatest(created_at, $4)
           WHERE wallet = $1 AND reference = $2 AND status = 'open' RETURNING *`,
    values: [wallet, reference, resolution, new Date(nowMs)],
  });
  const data = rows.map(exceptionView)[0];
  if (data) await notifyMerchant(client, { wallet, type: 'payment.exception', data, nowMs });
}

/** The number of open exceptions of a PayLink for another token or network, at most `most`. */
export async function countStrays(
  client: TransactionClient,
  { wallet, paylinkId }: { wallet: string; paylinkId: string },
  most: number,
): Promise<number> {
  const { rows } = await client.query<{ count: number }>({
    name: 'exceptions-count-strays',
    text: `SELECT count(*)::int AS count FROM (
             SELECT FROM payment_exceptions WHERE wallet = $1 AND status = 'open' AND paylink_id = $2
               AND kind IN ('other_token', 'other_network') LIMIT $3) found`,
    values: [wallet, paylinkId, most],
  });
  return rows[0]!.count;
}

/**
 * @returns ids of the orders that have open exceptions, so that the other orders of a batch need no further statement
 */
export async function findOrdersWithOpenExceptions(
  client: TransactionClient,
  orders: readonly { wallet: string; orderId: string }[],
): Promise<Set<string>> {
  if (orders.length === 0) return new Set();
  const { rows } = await client.query<{ order_id: string }>({
    name: 'exceptions-open-orders',
    text: `SELECT DISTINCT order_id FROM payment_exceptions
           WHERE wallet = ANY($1::text[]) AND status = 'open' AND order_id = ANY($2::uuid[])`,
    values: [orders.map(({ wallet }) => wallet), orders.map(({ orderId }) => orderId)],
  });
  return new Set(rows.map((row) => row.order_id));
}

/** Resolves the open exceptions of an order with one of these kinds, and notifies the merchant of each. */
export async function resolveExceptionsOfOrder(
  client: TransactionClient,
  {
    wallet,
    orderId,
    kinds,
    resolution,
    nowMs,
  }: {
    wallet: string;
    orderId: string;
    kinds: readonly ExceptionKind[];
    resolution: ExceptionResolution;
    nowMs: number;
  },
): Promise<void> {
  const { rows } = await client.query<ExceptionRow>({
    name: 'exceptions-resolve-order',
    text: `UPDATE payment_exceptions SET status = 'resolved', resolution = $4, updated_at = greatest(created_at, $5)
           WHERE wallet = $1 AND status = 'open' AND order_id = $2 AND kind = ANY($3::text[]) RETURNING *`,
    values: [wallet, orderId, kinds, resolution, new Date(nowMs)],
  });
  for (const data of rows.map(exceptionView))
    await notifyMerchant(client, { wallet, type: 'payment.exception', data, nowMs });
}

export const exceptionView = (row: ExceptionRow): PaymentException => ({
  id: row.id,
  kind: row.kind,
  status: row.status,
  resolution: row.resolution,
  paylink_id: row.paylink_id,
  order_id: row.order_id,
  network: findChain(row.chain)?.caip2 ?? row.chain,
  token: row.token,
  amount: row.amount,
  tx_hash: row.tx_hash,
  payer: row.payer,
  reason: row.reason,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});
