import type { PaymentChanged } from '@tollbridge/api';
import type { TransactionClient } from '@tollbridge/data';
import { tellMerchant } from '../webhooks/webhook-outbox';
import type { PaymentRequest } from './payment';
import type { Payment } from './payments.repository';

/**
 * Tells the merchant where a payment stands, in the transaction that has moved it there.
 * @param nowMs when that is heard: three days of attempts begin then, however long ago the order has changed
 */
export async function tellOfPayment(
  client: TransactionClient,
  payment: Payment,
  { wallet, metadata }: PaymentRequest,
  nowMs: number,
): Promise<void> {
  const data: PaymentChanged = {
    payment_id: payment.id,
    payment_request_id: payment.requestId,
    status: payment.status,
    amount: String(payment.amount),
    currency: payment.currency,
    chain: payment.chain,
    order_id: payment.orderId,
    settle_tx: payment.settleTx,
    metadata,
  };
  await tellMerchant(client, { wallet, type: `payment.${payment.status}`, data, nowMs });
}
