import type { TransactionClient } from '@tollbridge/database';
import { claimKey, type Transfer } from './deposit';

/**
 * Whether the order of the claim `s` recorded the transfer as an exception without proof that it belongs to the order.
 * Any client may report a transfer for an order of their own. So an order that the transfer settles takes the claim
 * over.
 */
const givesWay = `EXISTS (SELECT FROM order_exceptions e
  WHERE e.order_id = s.order_id AND e.chain = s.chain AND e.tx_hash = s.tx_hash
    AND split_part(e.reason, ':', 1) IN ('UNKNOWN_SENDER', 'OTHER_TOKEN', 'OTHER_NETWORK'))`;

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
    text: `SELECT s.tx_hash, s.log_index FROM settlement_claims s
           WHERE s.chain = $1 AND s.tx_hash = ANY($2::text[]) AND s.order_id <> $3 AND NOT ${givesWay}
           UNION ALL SELECT tx_hash, NULL FROM payments WHERE chain = $1 AND tx_hash = ANY($2::text[])`,
    values: [chain, transfers.map(({ txHash }) => txHash), orderId],
  });
  const isTaken = ({ txHash, logIndex }: Transfer): boolean =>
    rows.some((row) => row.tx_hash === txHash && (row.log_index === null || row.log_index === logIndex));
  return new Set(transfers.filter(isTaken).map(claimKey));
}

/** Releases reported transactions that are not the deposit, so that the orders they pay can claim them. */
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

/** When two orders claim a transfer concurrently, the second transaction fails, and its deposit is checked again. */
export async function claimTransfers(
  client: TransactionClient,
  orderId: string,
  chain: string,
  claims: readonly Transfer[],
): Promise<void> {
  if (claims.length === 0) return;
  const transfers = [claims.map(({ txHash }) => txHash), claims.map(({ logIndex }) => logIndex)];
  await client.query({
    name: 'settlement-claims-free',
    text: `DELETE FROM settlement_claims s USING unnest($2::text[], $3::integer[]) AS t (tx_hash, log_index)
           WHERE s.chain = $1 AND s.tx_hash = t.tx_hash AND s.log_index = t.log_index AND ${givesWay}`,
    values: [chain, ...transfers],
  });
  await client.query({
    name: 'settlement-claim',
    text: `INSERT INTO settlement_claims (chain, order_id, tx_hash, log_index)
           SELECT $1, $2, * FROM unnest($3::text[], $4::integer[])`,
    values: [chain, orderId, ...transfers],
  });
}
