import type { TransactionClient } from '@tollbridge/database';
import type { Pool } from 'pg';
import { refundTransitionOf, type RefundEvent } from './refund';

/** The columns that a transition sets, with parameters from `$3` on. `isAsSeen` is a further condition. */
export interface RefundChange {
  set: string;
  values: unknown[];
  isAsSeen?: string;
}

const quoted = (states: readonly string[]): string => states.map((state) => `'${state}'`).join(', ');

/** Transitions a refund from the states that allow the event. @returns false when it is in none of these states */
export async function transitionRefund(
  client: TransactionClient | Pool,
  { id, event, at }: { id: string; event: RefundEvent; at: Date },
  { set, values, isAsSeen = '' }: RefundChange,
): Promise<boolean> {
  const { from, to } = refundTransitionOf(event);
  const { rowCount } = await client.query({
    name: `refund-${event}`,
    text: `UPDATE refunds SET state = '${to}', updated_at = $2::timestamptz, ${set}
           WHERE id = $1 AND state IN (${quoted(from)}) ${isAsSeen}`,
    values: [id, at, ...values],
  });
  return rowCount === 1;
}
