import type { TransactionClient } from '@tollbridge/database';
import type { Batch, BatchStatus } from './batch';

/** A row of `payout_batches`. */
export interface BatchRow {
  payout_id: string;
  place: number;
  first_recipient: number;
  recipient_count: number;
  total_atomic: string;
  fee_atomic: string;
  status: BatchStatus;
  signature: string | null;
  relay_nonce: string | null;
  reason: string | null;
  tx_hash: string | null;
  refused: number[];
  paid_atomic: string | null;
  fee_paid_atomic: string | null;
}

export function batchFromRow(row: BatchRow): Batch {
  return {
    index: row.place,
    firstPlace: row.first_recipient,
    count: row.recipient_count,
    totalAtomic: BigInt(row.total_atomic),
    feeAtomic: BigInt(row.fee_atomic),
    status: row.status,
    signature: row.signature,
    reason: row.reason,
    txHash: row.tx_hash,
    rejectedPlaces: row.refused,
    paidAtomic: row.paid_atomic === null ? null : BigInt(row.paid_atomic),
    feePaidAtomic: row.fee_paid_atomic === null ? null : BigInt(row.fee_paid_atomic),
  };
}

/** Inserts the batches of a payout. SQL: runs in the transaction of the payout. */
export async function insertBatches(
  client: TransactionClient,
  payoutId: string,
  batches: readonly Batch[],
): Promise<void> {
  for (const { index, firstPlace, count, totalAtomic, feeAtomic } of batches)
    await client.query({
      name: 'payout-batch-insert',
      text: `INSERT INTO payout_batches (payout_id, place, first_recipient, recipient_count, total_atomic, fee_atomic, status)
             VALUES ($1, $2, $3, $4, $5, $6, 'waiting')`,
      values: [payoutId, index, firstPlace, count, String(totalAtomic), String(feeAtomic)],
    });
}
