import type * as sdk from '@tollbridge/sdk';
import { medianOf } from '../../format/times';

type Timed = Pick<
  sdk.TransactionRecord,
  'tx_type' | 'status' | 'order_id' | 'confirmed_by' | 'created_at' | 'updated_at'
>;

/**
 * The median time from the order to its settlement on the chain. The API has no such number, so it is computed from the
 * newest records.
 */
export function settleMsOf(transactions: readonly Timed[]): { medianMs: number; count: number } | undefined {
  const settled = transactions.filter(
    (it) =>
      it.tx_type === 'payment' &&
      it.status === 'completed' &&
      it.order_id !== null &&
      it.confirmed_by === 'chain',
  );
  const times = settled.map((it) => Date.parse(it.updated_at) - Date.parse(it.created_at));
  const medianMs = medianOf(times);
  return medianMs === undefined ? undefined : { medianMs, count: times.length };
}
