import { paymentEvents } from '@tollbridge/contracts';
import type { TransactionClient } from '@tollbridge/database';
import { callContext, type CallContext } from '@tollbridge/rpc';
import { appendEvents } from '../events/events.repository';
import { newestPaymentsOf, type Payment } from './payments.repository';

/**
 * Publishes `payment-changed` in the transaction of the changes, once per payment with its last state. The gateway then
 * reloads the payments that clients watch.
 * @param traceOf returns the trace context of the change
 */
export async function publishPayments(
  client: TransactionClient,
  changes: readonly { payment: Payment }[],
  traceOf: (payment: Payment) => string | undefined,
): Promise<void> {
  const latest = new Map(changes.map(({ payment }) => [payment.id, payment]));
  const events = [...latest.values()].map((payment) => ({
    aggregateId: payment.id,
    aggregateVersion: payment.orderVersion,
    occurredAtMs: payment.updatedAtMs,
    traceparent: traceOf(payment),
    data: {
      payment_id: payment.id,
      payment_request_id: payment.requestId,
      order_id: payment.orderId,
      status: payment.status,
      version: payment.orderVersion,
      updated_at: new Date(payment.updatedAtMs).toISOString(),
    },
  }));
  await appendEvents(client, paymentEvents['payment-changed'], events, callContext());
}

// A request has only a few open payments at a time, and clients do not watch older ones.
const maxPublished = 100;

/** Publishes `payment-changed` for the payments of a changed request, in the transaction of that change. */
export async function publishPaymentsOf(
  client: TransactionClient,
  requestId: string,
  { traceparent }: CallContext,
): Promise<void> {
  const payments = await newestPaymentsOf(client, requestId, maxPublished);
  await publishPayments(
    client,
    payments.map((payment) => ({ payment })),
    () => traceparent,
  );
}
