import type { TransactionClient } from '@tollbridge/database';
import type { RouteState, RouteStatus } from '@tollbridge/routing';
import { hasArrived, type Order } from '../orders/order';
import type { NewException } from '../orders/storage/order-transitions.repository';
import type { ValueOf } from '../prices/token-prices';
import { isClosed, type Delivery, type DepositVerdict } from './deposit';

/** The result of one check of a deposit. */
export interface Findings {
  status: RouteStatus;
  delivery: Delivery;
  /** Returns dollar values of tokens of the settle chain. */
  valueOf: ValueOf;
  nowMs: number;
  nextCheckAtMs: number;
}

interface StoredRow {
  state: RouteState;
  isClosed: boolean;
  isEnded: boolean;
  deposited: string | null;
  refunded: string | null;
}

export interface StoredState {
  state: RouteState;
  isClosed: boolean;
  /** Whether the final state of the deposit was applied to the order. */
  isEnded: boolean;
  /** Null while the amount is unknown. */
  depositedAtomic: bigint | null;
  refundedAtomic: bigint;
}

/**
 * Reads the state of a deposit. Call it after the order was locked, so that it includes the writes of the previous lock
 * holder.
 */
export async function readState(client: TransactionClient, orderId: string): Promise<StoredState> {
  const { rows } = await client.query<StoredRow>({
    name: 'deposit-state',
    text: `SELECT state, deposited, refunded, closed_at IS NOT NULL AS "isClosed",
             ended_at IS NOT NULL AS "isEnded" FROM deposits WHERE order_id = $1`,
    values: [orderId],
  });
  const { deposited, refunded, ...state } = rows[0]!;
  const depositedAtomic = deposited === null ? null : BigInt(deposited);
  return { ...state, depositedAtomic, refundedAtomic: BigInt(refunded ?? 0) };
}

/**
 * Whether to publish an event although the order keeps its state, because the deposit arrived or its amount changed.
 */
export function isDepositNews(
  before: Pick<StoredState, 'state' | 'depositedAtomic'>,
  { state, depositedAtomic }: RouteStatus,
): boolean {
  if (hasArrived(state) !== hasArrived(before.state)) return true;
  if (state !== 'incomplete') return before.state === 'incomplete';
  return before.state !== state || (depositedAtomic ?? before.depositedAtomic) !== before.depositedAtomic;
}

/** Stores the findings of a check. */
export async function saveFindings(
  client: TransactionClient,
  orderId: string,
  { status, nowMs, nextCheckAtMs, deadlineMs }: Findings & { deadlineMs: number },
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
             ended_at = CASE WHEN $16 THEN coalesce(ended_at, $12) END,
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
      isOver && isClosed(deadlineMs, nowMs) ? new Date(nowMs) : null,
      status.depositTxs,
      isOver,
    ],
  });
}

/** Deposits and refunds at the deposit address after the final state was applied to the order. */
export function movedAfterEnd(
  { payChain: chain, payToken: token, status: orderStatus }: Order,
  before: StoredState,
  { depositedAtomic, refundedAtomic, depositTxs }: RouteStatus,
): NewException[] {
  if (!before.isEnded && orderStatus !== 'settled') return [];
  const deposited = (depositedAtomic ?? 0n) - (before.depositedAtomic ?? depositedAtomic ?? 0n);
  const refunded = (refundedAtomic ?? 0n) - before.refundedAtomic;
  const moved: NewException[] = [];
  if (deposited > 0n)
    moved.push({
      kind: 'deposit',
      chain,
      token,
      amountAtomic: deposited,
      txHash: depositTxs.at(-1) ?? null,
      reason: `DEPOSIT_AFTER_END: ${deposited} arrived at the deposit address when the order was ${orderStatus} already; the route provider delivers it or sends it back`,
    });
  if (refunded > 0n)
    moved.push({
      kind: 'refund',
      chain,
      token,
      amountAtomic: refunded,
      txHash: null,
      reason: `REFUND_AFTER_END: the route provider sent ${refunded} back when the order was ${orderStatus} already`,
    });
  return moved;
}
