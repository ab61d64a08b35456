import {
  ordersApi,
  paymentsApi,
  type FollowedPayment,
  type OrderReply,
  type PaymentStatusReply,
  type PublicPaymentRequest,
} from '@tollbridge/contracts';
import { callContext, type BusClient, type BusOperation } from '@tollbridge/rpc';
import {
  attemptReadMs,
  confirmationPaceMs,
  expiryReadMs,
  isConfirmingOrder,
  isConfirmingPayment,
} from './clock-changes';

/** A state of a resource from the reply of its operation. */
export interface LiveState {
  /**
   * Identifies the state. A client with this state sends it as `Last-Event-ID`. Undefined when the service returns no
   * version.
   */
  id: string | undefined;
  json: string;
  /** Whether no further change is possible. */
  isFinal: boolean;
  /** When to read the state again, because a block or the clock changes it without an event. */
  readAgainAtMs: number | undefined;
}

/** A kind of resource that clients can watch. */
export interface LiveResource {
  /** The `event` of the resource's messages. */
  name: 'order' | 'payment';
  /** @param id of the resource as the client sent it @throws DomainError */
  read(client: LiveReads, id: string): Promise<LiveState>;
}

export type LiveReads = Pick<BusClient, 'callBytes'>;

async function readJson(
  client: LiveReads,
  operation: BusOperation<{ id: string }, unknown>,
  id: string,
): Promise<string> {
  const { bytes } = await client.callBytes(operation, Buffer.from(JSON.stringify({ id })), callContext());
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
}

// After this time, a payment that was made in time has been found, unless the nodes of the chain are halted.
const graceMs = 10 * 60_000;

/** The version of an order, which increases with its events; undefined from a service of an earlier release. */
const versionOf = ({ version }: { version?: number }): string | undefined =>
  version === undefined ? undefined : String(version);

const { getOrder } = ordersApi.operations;
const { paymentStatus } = paymentsApi.operations;

export const liveOrder: LiveResource = {
  name: 'order',
  read: async (client, id) => stateOfOrder(await readJson(client, getOrder, id), Date.now()),
};

export const livePayment: LiveResource = {
  name: 'payment',
  async read(client, id) {
    const json = await readJson(client, paymentStatus, id);
    const payment = JSON.parse(json) as PaymentStatusReply;
    if (!isConfirmingPayment(payment)) return stateOfPayment(payment, json, id, Date.now());
    // Only pay-orders returns confirmations. Without its reply, the state is sent without confirmations.
    const order = await readJson(client, getOrder, payment.order_id).catch(() => undefined);
    const followed =
      order === undefined ? payment : withConfirmations(payment, JSON.parse(order) as OrderReply);
    return stateOfPayment(followed, JSON.stringify(followed), id, Date.now());
  },
};

export function stateOfOrder(json: string, nowMs: number): LiveState {
  const order = JSON.parse(json) as OrderReply;
  const version = versionOf(order);
  const isConfirming = isConfirmingOrder(order);
  return {
    id: isConfirming ? version && `${version}.${order.confirmations}` : version,
    json,
    isFinal: isFinalOrder(order, nowMs),
    readAgainAtMs: isConfirming ? nowMs + confirmationPaceMs(order.pay_blockchain) : undefined,
  };
}

/** @param id of the payment or its request as the client sent it */
export function stateOfPayment(payment: FollowedPayment, json: string, id: string, nowMs: number): LiveState {
  const times = [
    ...(isConfirmingPayment(payment) ? [nowMs + confirmationPaceMs(payment.from_chain)] : []),
    ...expiryReadMs(payment.payment_request, nowMs),
    ...attemptReadMs(payment.payment_request, nowMs),
  ];
  return {
    id: paymentStateId(payment),
    json,
    isFinal: isFinalPayment(payment, id, nowMs),
    readAgainAtMs: times.length === 0 ? undefined : Math.min(...times),
  };
}

/** The payment with the confirmations of its order. */
export const withConfirmations = (
  payment: PaymentStatusReply,
  { confirmations, required_confirmations }: Pick<OrderReply, 'confirmations' | 'required_confirmations'>,
): FollowedPayment => ({ ...payment, confirmations, required_confirmations });

/**
 * Identifies the state of a payment by: payment, order version, request expiry, confirmations and attempt to pay. The
 * payment is included, because another payment of the request may become the most advanced one. Undefined when the
 * service returns no version.
 */
export function paymentStateId(payment: FollowedPayment): string | undefined {
  const version = versionOf(payment);
  if (version === undefined) return undefined;
  const { status } = payment.payment_request;
  const flight = flightOf(payment.payment_request);
  const end = status === 'canceled' || status === 'expired' ? [status] : [];
  const count = isConfirmingPayment(payment) ? (payment.confirmations ?? []) : [];
  return [payment.payment_id, version, end, count, flight].flat().join('.');
}

/**
 * Whether the state of an order is final. A cross-chain deposit may still arrive, or be refunded, for days, so such
 * orders are final only when settled. A direct order expires only after a block beyond its deadline was read, and its
 * contract accepts no later payment.
 */
export function isFinalOrder(
  { status, method, expires_at: end }: Pick<OrderReply, 'status' | 'method' | 'expires_at'>,
  nowMs: number,
): boolean {
  if (status === 'settled') return true;
  if (method !== 'Direct') return false;
  return status === 'expired' || (status === 'failed' && nowMs > Date.parse(end) + graceMs);
}

/** Whether the state of a payment is final. A request may get further payments until one is completed. */
export function isFinalPayment(
  { status, payment_id, order }: Pick<PaymentStatusReply, 'status' | 'payment_id' | 'order'>,
  id: string,
  nowMs: number,
): boolean {
  if (status === 'completed') return true;
  if (payment_id !== id || order.method !== 'Direct') return false;
  return status === 'expired' || (status === 'failed' && nowMs > Date.parse(order.expires_at) + graceMs);
}

/** Identifies the state of a request on its options page. */
export const requestStateId = (request: PublicPaymentRequest): string =>
  [request.status, ...flightOf(request)].join('.');

// Enough characters to distinguish the transactions of one request.
const hashLetters = 12;

function flightOf({ attempt }: Pick<PublicPaymentRequest, 'attempt'>): string[] {
  if (!attempt) return [];
  const { payment_id, state, tx_hash } = attempt;
  return [payment_id, state, ...(tx_hash === null ? [] : [tx_hash.slice(-hashLetters)])];
}
