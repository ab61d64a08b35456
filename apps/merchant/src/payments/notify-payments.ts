import type { PaymentChanged } from '@tollbridge/contracts';
import type { TransactionClient } from '@tollbridge/database';
import { notifyMerchants } from '../webhooks/webhook-outbox';
import type { PaymentRequest } from './payment';
import type { Payment } from './payments.repository';

/** A payment after a change, with its request. */
interface ChangedPayment {
  payment: Payment;
  request: PaymentRequest;
}

/**
 * Notifies merchants of changed payments, in the transaction of the change.
 * @param nowMs the time of the change; the delivery schedule starts then, even if the event is older
 * @param traceOf returns the trace context of the change
 */
export async function notifyOfPayments(
  client: TransactionClient,
  changes: readonly ChangedPayment[],
  nowMs: number,
  traceOf: (payment: Payment) => string | undefined,
): Promise<void> {
  const messages = changes.map(({ payment, request }) => ({
    wallet: request.wallet,
    type: `payment.${payment.status}` as const,
    data: changeOf(payment, request),
    nowMs,
    ...tracedBy(traceOf(payment)),
  }));
  await notifyMerchants(client, messages);
}

const tracedBy = (traceparent: string | undefined) => (traceparent === undefined ? {} : { traceparent });

const changeOf = (payment: Payment, { description, metadata }: PaymentRequest): PaymentChanged => ({
  payment_id: payment.id,
  payment_request_id: payment.requestId,
  status: payment.status,
  amount: String(payment.amount),
  ...payment.conversion,
  currency: payment.currency,
  chain: payment.chain,
  order_id: payment.orderId,
  settle_tx: payment.settleTx,
  description,
  metadata,
});
