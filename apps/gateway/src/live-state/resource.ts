import { ordersApi, paymentsApi, type OrderReply, type PaymentStatusReply } from '@tollbridge/contracts';
import type { BusOperation } from '@tollbridge/rpc';

/** A state of a resource, as its operation replied it. */
export interface LiveState {
  /** Names the state: `Last-Event-ID` of a client that has it. Undefined from a service that sends no version. */
  id: string | undefined;
  json: string;
  /** Whether no further change can come. */
  isFinal: boolean;
}

/** A kind of resource that clients follow. */
export interface LiveResource {
  /** `event` of its messages. */
  name: 'order' | 'payment';
  read: BusOperation<{ id: string }, unknown>;
  /** @param id under which the client asked for the resource */
  toState(json: string, id: string, nowMs: number): LiveState;
}

// A payment in time is found by then, unless the nodes of the chain stand still.
const graceMs = 10 * 60_000;

/** Versions of an order increase with its events; a service of the previous release sends none. */
const versionOf = ({ version }: { version?: number }): string | undefined =>
  version === undefined ? undefined : String(version);

export const liveOrder: LiveResource = {
  name: 'order',
  read: ordersApi.operations.getOrder,
  toState(json, _id, nowMs) {
    const order = JSON.parse(json) as OrderReply;
    return { id: versionOf(order), json, isFinal: isFinalOrder(order, nowMs) };
  },
};

export const livePayment: LiveResource = {
  name: 'payment',
  read: paymentsApi.operations.paymentStatus,
  toState(json, id, nowMs) {
    const payment = JSON.parse(json) as PaymentStatusReply;
    const version = versionOf(payment);
    return {
      // The most advanced payment of a request may be another one later.
      id: version && `${payment.payment_id}.${version}`,
      json,
      isFinal: isFinalPayment(payment, id, nowMs),
    };
  },
};

/**
 * A deposit across chains may still arrive, or be refunded, for days: such orders are final only when settled. A direct
 * order expires only after a block past its end was read, and its contract takes no later payment.
 */
export function isFinalOrder(
  { status, method, expires_at: end }: Pick<OrderReply, 'status' | 'method' | 'expires_at'>,
  nowMs: number,
): boolean {
  if (status === 'settled') return true;
  if (method !== 'Direct') return false;
  return status === 'expired' || (status === 'failed' && nowMs > Date.parse(end) + graceMs);
}

/** A request may get another payment, until one is completed. */
export function isFinalPayment(
  { status, payment_id, order }: Pick<PaymentStatusReply, 'status' | 'payment_id' | 'order'>,
  id: string,
  nowMs: number,
): boolean {
  if (status === 'completed') return true;
  if (payment_id !== id || order.method !== 'Direct') return false;
  return status === 'expired' || (status === 'failed' && nowMs > Date.parse(order.expires_at) + graceMs);
}
