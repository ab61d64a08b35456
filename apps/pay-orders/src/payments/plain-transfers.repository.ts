import type { ReceivedTransfer } from '@tollbridge/chain-port';
import type { TransactionClient } from '@tollbridge/database';

/** Claims the transfers that belong to no order, so that each of them counts once; the caller holds the lock of the order. */
export async function claimFree<T extends Pick<ReceivedTransfer, 'txHash' | 'logIndex'>>(
  client: TransactionClient,
  orderId: string,
  chain: string,
  transfers: readonly T[],
): Promise<T[]> {
  const { rows } = await client.query<{ tx_hash: string; log_index: number }>({
    name: 'plain-transfers-claim',
    text: `INSERT INTO settlement_claims (chain, order_id, tx_hash, log_index)
           SELECT $1, $2, * FROM unnest($3::text[], $4::integer[]) ON CONFLICT DO NOTHING
           RETURNING tx_hash, log_index`,
    values: [
      chain,
      orderId,
      transfers.map(({ txHash }) => txHash),
      transfers.map(({ logIndex }) => logIndex),
    ],
  });
  return transfers.filter((transfer) =>
    rows.some((row) => row.tx_hash === transfer.txHash && row.log_index === transfer.logIndex),
  );
}

/** What plain transfers that count for an order brought before; those of other senders do not count. */
export async function earlierAtomic(client: TransactionClient, orderId: string): Promise<bigint> {
  const { rows } = await client.query<{ total: string }>({
    name: 'plain-transfers-before',
    text: `SELECT coalesce(sum(amount), 0)::text AS total FROM order_exceptions
           WHERE order_id = $1 AND kind = 'transfer' AND reason LIKE 'PARTIAL_TRANSFER: %'`,
    values: [orderId],
  });
  return BigInt(rows[0]!.total);
}
