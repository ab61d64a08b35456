import { orderEvents, type OrderChanged } from '@tollbridge/contracts';
import { makerOf, type CallContext, type EventEnvelope } from '@tollbridge/rpc';
import { randomUUID } from 'node:crypto';
import type { OrderTerms } from './order';

/**
 * The event of a new order. Everything in it is known before the insert. So it is not built in SQL, as the events of
 * changes are: planning that expression would take longer than the insert (bench row "create an order").
 */
export function orderCreatedOf(terms: OrderTerms, context: CallContext): EventEnvelope<OrderChanged> {
  const { id, createdAtMs } = terms;
  const { type, version } = orderEvents['order-created'];
  const { requestId, traceparent } = context;
  const createdAt = new Date(createdAtMs).toISOString();
  return {
    id: randomUUID(),
    type,
    version,
    aggregateId: id,
    aggregateVersion: 1,
    occurredAt: createdAt,
    requestId,
    traceparent,
    data: {
      order_id: id,
      status: 'waiting_payment',
      method: terms.method,
      merchant_id: terms.merchantId,
      merchant_address: terms.merchantAddress,
      payer_address: terms.payerAddress,
      pay_blockchain: terms.payChain,
      pay_token: terms.payToken,
      settle_chain: terms.settleChain,
      settle_token: terms.settleToken,
      merchant_amount: String(terms.merchantAmount),
      price: terms.conversion?.price ?? null,
      rate: terms.conversion?.rate ?? null,
      fee_amount: String(terms.feeAmount),
      refund_account: terms.isPayerless,
      ...unpaid,
      created_by: makerOf(context) ?? null,
      version: 1,
      updated_at: createdAt,
    },
  };
}

const unpaid = {
  refunded_amount: null,
  forwarded_amount: null,
  forwarded_tx: null,
  paid_by: null,
  payment_seen: false,
  pay_tx: null,
  settle_tx: null,
  settled_amount: null,
  failure_reason: null,
  last_report_tx: null,
  last_report_reason: null,
  late: false,
  settled_value_usd: null,
  exception: null,
} as const;
