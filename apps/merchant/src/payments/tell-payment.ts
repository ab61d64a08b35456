import type { PaymentChanged } from '@tollbridge/contracts';
import type { TransactionClient } from '@tollbridge/database';
import { notifyMerchants } from '../webhooks/webhook-outbox';
import type { PaymentRequest } from './payment';
import type { Payment } from './payments.repository';

/** A payment as it stands now, and the request that it belongs to. */
interface ToldPayment {
  payment: Payment;
  request: PaymentRequest;
}

/**
 * Notifies the merchants where payments stand, in the transaction that has moved them there.
 * @param nowMs when that becomes known: three days of attempts begin then, however long ago the order has changed
 */
export async function tellOfPayments(
  client: TransactionClient,
  told: readonly ToldPayment[],
  nowMs: number,
): Promise<void> {
  const messages = told.map(({ payment, request }) => ({
    wallet: request.wallet,
    type: `payment.${payment.status}` as const,
    data: changeOf(payment, request),
    nowMs,
  }));
  await notifyMerchants(client, messages);
}

const changeOf = (payment: Payment, { metadata }: PaymentRequest): PaymentChanged => ({
  payment_id: payment.id,
  payment_request_id: payment.requestId,
  status: payment.status,
  amount: String(payment.amount),
  currency: payment.currency,
  chain: payment.chain,
  order_id: payment.orderId,
  settle_tx: payment.settleTx,
  metadata,
});
