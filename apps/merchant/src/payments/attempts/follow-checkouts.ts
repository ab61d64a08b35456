import type { TransactionClient } from '@tollbridge/database';
import { callContext } from '@tollbridge/rpc';
import type { CheckoutPayment, LinkCheckouts } from '../../paylinks/link-checkouts';
import type { Followed } from '../payments.repository';

/**
 * Counts changed payments for their PayLinks when the requests are checkouts of PayLinks, in the transaction of the
 * change.
 */
export async function followCheckouts(
  client: TransactionClient,
  checkouts: LinkCheckouts,
  followed: readonly Followed[],
  nowMs: number,
): Promise<void> {
  const changed = followed.flatMap(checkoutOf);
  if (changed.length > 0)
    await checkouts.follow(client, changed, { nowMs, context: callContext({ principal: 'watcher' }) });
}

function checkoutOf({ before, payment, request }: Followed): CheckoutPayment[] {
  const isCompleted = payment.status === 'completed';
  if (request.paylinkId === null || !(isCompleted || before.status === 'completed')) return [];
  return [
    {
      linkId: request.paylinkId,
      orderId: payment.orderId,
      isCompleted,
      atMs: payment.isLate ? payment.updatedAtMs : payment.createdAtMs,
      settleTx: payment.settleTx ?? payment.payTx ?? '',
      amount: payment.settledAmount ?? payment.amount,
      payer: payment.paidBy,
      valueUsd: payment.settledValueUsd,
    },
  ];
}
