import type { ReceivedTransfer } from '@tollbridge/chain-port';
import { canonicalAddress, type Chain } from '@tollbridge/chains';
import type { TransactionClient } from '@tollbridge/database';
import type { CallContext } from '@tollbridge/rpc';
import type { Order } from '../orders/order';
import { fromRow } from '../orders/storage/order-rows';
import { recordException, transitionOrders } from '../orders/storage/order-transitions.repository';
import type { OrderRow } from '../orders/storage/orders.entity';
import { isFrom, otherReason, symbolOf, verdictOnTransfers, type Received } from './plain-transfer';

/** The transfers of a reported transaction to the merchant. */
export interface TransferFacts {
  chain: Chain;
  received: Received;
  valueUsd: string | null;
  nowMs: number;
}

/**
 * Whether another waiting order of the merchant has priority for the transfers, because their sender signed in to
 * create it. Any client may report them for an order of their own first.
 */
export async function areAwaited(
  client: TransactionClient,
  { id, merchant_address: merchant, created_by: ownMaker }: OrderRow,
  { chain, received }: Pick<TransferFacts, 'chain' | 'received'>,
): Promise<boolean> {
  const transfers = [...received.transfers, ...received.others];
  if (received.namesOrder || isFrom(chain, transfers, ownMaker)) return false;
  const senders = transfers.flatMap(({ from }) => {
    const sender = canonicalAddress(chain, from);
    return sender.ok ? [sender.address] : [];
  });
  const { rows } = await client.query<{ created_by: string }>({
    name: 'plain-transfers-awaited',
    text: `SELECT created_by FROM orders
           WHERE payer_address = ANY($1::text[]) AND id <> $2 AND merchant_address = $3 AND pay_chain = $4
             AND method = 'Direct' AND created_by IS NOT NULL
             AND (status = 'waiting_payment' OR status = 'settling' AND paid_height IS NULL)`,
    values: [senders, id, merchant, chain.id],
  });
  return rows.some(({ created_by: maker }) => transfers.some((it) => isFrom(chain, [it], maker)));
}

/** Claims the transfers that no order has claimed, so that each counts once. The caller holds the lock of the order. */
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

/** The sum of earlier plain transfers that count for an order. Transfers of other senders do not count. */
export async function earlierAtomic(client: TransactionClient, orderId: string): Promise<bigint> {
  const { rows } = await client.query<{ total: string }>({
    name: 'plain-transfers-before',
    text: `SELECT coalesce(sum(amount), 0)::text AS total FROM order_exceptions
           WHERE order_id = $1 AND kind = 'transfer' AND reason LIKE 'PARTIAL_TRANSFER: %'`,
    values: [orderId],
  });
  return BigInt(rows[0]!.total);
}

/**
 * Records plain transfers to the merchant for the order that they were reported for. They complete the order, or become
 * exceptions. The caller holds the lock of the order.
 * @returns false when the transfers belong to other orders
 */
export async function receiveTransfers(
  client: TransactionClient,
  row: OrderRow,
  txHash: string,
  { chain, received, valueUsd, nowMs }: TransferFacts,
  context: CallContext,
): Promise<boolean> {
  const order = fromRow(row);
  const { id: orderId } = order;
  const taken = await claimFree(client, orderId, chain.id, received.transfers);
  if (taken.length === 0) return recordOthers(client, order, { chain, received, nowMs }, context);
  const amountAtomic = taken.reduce((sum, it) => sum + it.amountAtomic, 0n);
  const totalAtomic = amountAtomic + (await earlierAtomic(client, orderId));
  const { isComplete, reason } = verdictOnTransfers(order, chain, {
    ...received,
    transfers: taken,
    totalAtomic,
    maker: row.created_by,
  });
  if (isComplete) {
    if (order.status !== 'settling')
      await transitionOrders(client, 'paymentSeen', [{ orderId, detail: txHash }], nowMs, context);
    const settled = { orderId, settleTx: txHash, amount: totalAtomic, valueUsd };
    await transitionOrders(client, 'delivered', [settled], nowMs, context);
    return true;
  }
  const exception = { chain: chain.id, token: order.payToken, amountAtomic, txHash, reason };
  await recordException(client, orderId, { kind: 'transfer', ...exception }, nowMs, context);
  await transitionOrders(client, 'reportRejected', [{ orderId, detail: reason }], nowMs, context);
  return true;
}

/**
 * Records transfers to the merchant in another token or on another chain. The order still waits.
 * @returns false when all of them belong to other orders
 */
async function recordOthers(
  client: TransactionClient,
  order: Order,
  { chain, received, nowMs }: Omit<TransferFacts, 'valueUsd'>,
  context: CallContext,
): Promise<boolean> {
  const others = await claimFree(client, order.id, chain.id, received.others);
  let detail: string | undefined;
  for (const { tokenAddress, amountAtomic, txHash } of others) {
    const token = symbolOf(chain, tokenAddress);
    const reason = otherReason(order, chain, token, amountAtomic);
    const exception = { kind: 'transfer', chain: chain.id, token, amountAtomic, txHash, reason } as const;
    await recordException(client, order.id, exception, nowMs, context);
    detail ??= reason;
  }
  if (detail !== undefined)
    await transitionOrders(client, 'reportRejected', [{ orderId: order.id, detail }], nowMs, context);
  return detail !== undefined;
}
