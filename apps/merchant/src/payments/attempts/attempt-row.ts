import type { Attempt, StoredAttemptState } from './attempt';

/** A row of an attempt. Its times are strings when PostgreSQL returns it as JSON. */
export interface AttemptRow {
  request_id: string;
  payment_id: string;
  order_id: string;
  order_version: number;
  holder: string;
  state: StoredAttemptState;
  tx_hash: string | null;
  is_weak: boolean;
  declines: number;
  started_at: Date | string;
  blocks_until: Date | string;
  check_at: Date | string | null;
}

export const rowOf = (attempt: Attempt): AttemptRow => ({
  request_id: attempt.requestId,
  payment_id: attempt.paymentId,
  order_id: attempt.orderId,
  order_version: attempt.orderVersion,
  holder: attempt.holder,
  state: attempt.state,
  tx_hash: attempt.txHash,
  is_weak: attempt.isWeak,
  declines: attempt.declines,
  started_at: new Date(attempt.startedAtMs),
  blocks_until: new Date(attempt.blocksUntilMs),
  check_at: attempt.checkAtMs === null ? null : new Date(attempt.checkAtMs),
});

export function attemptOf(row: AttemptRow): Attempt {
  return {
    requestId: row.request_id,
    paymentId: row.payment_id,
    orderId: row.order_id,
    orderVersion: row.order_version,
    holder: row.holder,
    state: row.state,
    txHash: row.tx_hash,
    isWeak: row.is_weak,
    declines: row.declines,
    startedAtMs: new Date(row.started_at).getTime(),
    blocksUntilMs: new Date(row.blocks_until).getTime(),
    checkAtMs: row.check_at === null ? null : new Date(row.check_at).getTime(),
  };
}
