import type { BlockRef, ChainAdapter, Payment } from '@tollbridge/chain-port';
import { reorgWindow } from '@tollbridge/chains';
import type { Order } from '../orders/order';
import { differences } from '../payments/payment';

/**
 * The state of a payment on the chain:
 * - `settled`: it has settled its order
 * - `waiting`: its order is in this database, and the watcher will settle it
 * - `mismatched`: it does not pay its order in full
 * - `unknown`: its order is not in this database
 */
export type PaymentState = 'settled' | 'waiting' | 'mismatched' | 'unknown';

export interface ReconciledPayment {
  chain: string;
  payment: Payment;
  state: PaymentState;
  /**
   * Whether an order of this database has the same merchant address. Then an unknown order probably belongs to this
   * deployment.
   */
  isMerchantKnown: boolean;
}

/** The queries of the reconciliation. */
export interface KnownOrders {
  ordersOf(chain: string, ids: readonly string[]): Promise<Order[]>;
  /** Those of these addresses that are the merchant of an order. */
  knownMerchants(addresses: readonly string[]): Promise<string[]>;
}

// The longest list that an operator can read and that fits into memory.
const mostPayments = 100_000;

/**
 * Compares the payments that the contracts of a chain recorded after a time with the orders of this database.
 * @returns all payments, oldest first
 * @throws RangeError when there are more than 100,000
 */
export async function reconcile(
  adapter: ChainAdapter,
  sinceMs: number,
  orders: KnownOrders,
): Promise<ReconciledPayment[]> {
  const payments = await paymentsSince(adapter, sinceMs);
  const chain = adapter.chain.id;
  const known = await orders.ordersOf(
    chain,
    payments.map(({ orderId }) => orderId),
  );
  const byId = new Map(known.map((order) => [order.id, order]));
  const merchants = new Set(await orders.knownMerchants(payments.map(({ fields }) => fields.merchant)));
  return payments.map((payment) => ({
    chain,
    payment,
    state: stateOf(byId.get(payment.orderId), payment),
    isMerchantKnown: merchants.has(payment.fields.merchant),
  }));
}

function stateOf(order: Order | undefined, payment: Payment): PaymentState {
  if (!order) return 'unknown';
  if (differences(order, payment).length > 0) return 'mismatched';
  return order.status === 'settled' ? 'settled' : 'waiting';
}

async function paymentsSince(adapter: ChainAdapter, sinceMs: number): Promise<Payment[]> {
  const window = reorgWindow(adapter.chain);
  // Block times are whole seconds, so all payments in the second of `sinceMs` are included.
  const start = await adapter.blockBefore(Math.floor(sinceMs / 1_000) * 1_000 - 1);
  let known: readonly BlockRef[] = start ? [start] : [];
  let payments: Payment[] = [];
  for (;;) {
    const update = await adapter.nextUpdate(known, window);
    if (update.kind === 'idle') return payments;
    if (update.kind === 'rollback') {
      const { to } = update;
      payments = payments.filter(({ height }) => height <= to.height);
      known = [...known.filter(({ height }) => height < to.height), to];
      continue;
    }
    payments.push(...update.payments);
    known = [...known, ...update.blocks].slice(-window);
    if (payments.length > mostPayments)
      throw new RangeError(`${adapter.chain.id} has more than ${mostPayments} payments: name a later time`);
  }
}
