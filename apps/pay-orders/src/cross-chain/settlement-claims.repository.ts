import type { TransactionClient } from '@tollbridge/database';
import { claimKey, type Transfer } from './deposit';

/** Transfers that settled other orders, and transfers in transactions that paid an order directly. */
export async function claimedByOthers(
  client: TransactionClient,
  orderId: string,
  chain: string,
  transfers: readonly Transfer[],
): Promise<Set<string>> {
  if (transfers.length === 0) return new Set();
  const { rows } = await client.query<{ tx_hash: string; log_index: number | null }>({
    name: 'settlement-claims',
    text: `SELECT tx_hash, log_index FROM settlement_claims
           WHERE chain = $1 AND tx_hash = ANY($2::text[]) AND order_id <> $3
           UNION ALL SELECT tx_hash, NULL FROM payments WHERE chain = $1 AND tx_hash = ANY($2::text[])`,
    values: [chain, transfers.map(({ txHash }) => txHash), orderId],
  });
  const isTaken = ({ txHash, logIndex }: Transfer): boolean =>
    rows.some((row) => row.tx_hash === txHash && (row.log_index === null || row.log_index === logIndex));
  return new Set(transfers.filter(isTaken).map(claimKey));
}

/** Releases reported transactions that are not the deposit, so that the orders that they pay can claim them. */
export async function forgetFalseReports(
  client: TransactionClient,
  orderId: string,
  depositTxs: readonly string[],
): Promise<void> {
  await client.query({
    name: 'deposit-false-reports',
    text: 'DELETE FROM tx_claims WHERE order_id = $1 AND tx_hash <> ALL($2::text[])',
    values: [orderId, depositTxs],
  });
}

/** When two orders claim a transfer at once, the second transaction fails, and that deposit is checked again. */
export async function claimTransfers(
  client: TransactionClient,
  orderId: string,
  chain: string,
  claims: readonly Transfer[],
): Promise<void> {
  if (claims.length === 0) return;
  await client.query({
    name: 'settlement-claim',
    text: `INSERT INTO settlement_claims (chain, order_id, tx_hash, log_index)
           SELECT $1, $2, * FROM unnest($3::text[], $4::integer[])`,
    values: [chain, orderId, claims.map(({ txHash }) => txHash), claims.map(({ logIndex }) => logIndex)],
  });
}
