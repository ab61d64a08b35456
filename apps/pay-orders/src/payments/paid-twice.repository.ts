import type { TransactionClient } from '@tollbridge/database';
import type { CallContext } from '@tollbridge/rpc';
import { recordException } from '../orders/storage/order-transitions.repository';
import { paidTwiceReason } from './plain-transfer';
import { claimFree } from './plain-transfers.repository';

interface Confirmed {
  chain: string;
  /** The heights of newly confirmed payments: above `above`, up to `upTo`. */
  above: number;
  upTo: number;
  nowMs: number;
  context: CallContext;
}

interface SecondPayment {
  order_id: string;
  tx_hash: string;
  log_index: number;
  token: string;
  amount: string;
  settle_tx: string;
}

/**
 * Records confirmed contract payments of orders that plain transfers or a payment to a former contract have settled.
 * The orders do not change. A claim ensures that each payment is recorded once, because a reorganisation may change its
 * block and index.
 * @returns the ids of the orders
 */
export async function recordPaidTwice(
  client: TransactionClient,
  { chain, above, upTo, nowMs, context }: Confirmed,
): Promise<string[]> {
  const { rows } = await client.query<SecondPayment>({
    name: 'payments-second',
    text: `SELECT p.order_id, p.tx_hash, p.log_index, o.pay_token AS token, o.merchant_amount::text AS amount, o.settle_tx
           FROM payments p JOIN orders o ON o.id = p.order_id
           WHERE p.chain = $1 AND p.height > $2 AND p.height <= $3 AND NOT p.removed AND p.mismatch IS NULL
             AND o.status = 'settled' AND o.settle_tx <> p.tx_hash
             AND NOT EXISTS (SELECT FROM settlement_claims s
                             WHERE s.chain = p.chain AND s.tx_hash = p.tx_hash AND s.order_id = p.order_id)
           ORDER BY o.id FOR UPDATE OF o`,
    values: [chain, above, upTo],
  });
  for (const { order_id: orderId, tx_hash: txHash, log_index: logIndex, token, amount, settle_tx } of rows) {
    await claimFree(client, orderId, chain, [{ txHash, logIndex }]);
    const amountAtomic = BigInt(amount);
    const reason = paidTwiceReason(amountAtomic, 'the contract', settle_tx);
    const exception = { kind: 'transfer', chain, token, amountAtomic, txHash, reason } as const;
    await recordException(client, orderId, exception, nowMs, context);
  }
  return rows.map(({ order_id: id }) => id);
}
