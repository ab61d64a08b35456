import type { Conversion, OrderChanged, OrderEventType, RecordType } from '@tollbridge/contracts';
import { canonicalPayer } from '@tollbridge/chains';
import { v5 as uuidOfName } from 'uuid';

export type Outcome = 'pending' | 'completed' | 'failed' | 'expired';

/**
 * A payment or refund of the dashboard. It is derived from its newest event and from three flags that events set and
 * never clear. So the order and the number of deliveries do not matter.
 */
export interface DashboardRecord {
  id: string;
  wallet: string;
  type: RecordType;
  orderId: string | null;
  version: number;
  outcome: Outcome;
  /** Whether the merchant created the order. Such a payment is shown and counted even while it is unpaid. */
  isOwn: boolean;
  /** Whether money has arrived. Orders that other clients created are shown only then. */
  isSeen: boolean;
  wasCompleted: boolean;
  amount: bigint;
  feeAmount: bigint;
  /** The price of an order with one; null otherwise. Payments of requests have their price in the request. */
  conversion: Conversion | null;
  token: string;
  network: string;
  valueUsd: string | null;
  txHash: string;
  counterparty: string | null;
  description: string;
  isLate: boolean;
  /** Whether the merchant confirmed the payment and no node has verified it. */
  isConfirmed: boolean;
  createdAtMs: number;
  updatedAtMs: number;
}

/** The amounts and counts that a record adds to the sums of its day. */
export interface Contribution {
  wallet: string;
  day: string;
  network: string;
  token: string;
  completed: number;
  unsuccessful: number;
  /** The unsuccessful payments that expired before they were paid. */
  expired: number;
  unpriced: number;
  confirmed: number;
  amount: string;
  value_usd: string;
}

const outcomes: Record<OrderChanged['status'], Outcome> = {
  waiting_payment: 'pending',
  settling: 'pending',
  settled: 'completed',
  failed: 'failed',
  expired: 'expired',
};

// The namespace of refund ids, which derive from the order's id: a rebuild then produces the same ids.
const refundIds = '6f1c1d0e-6a0b-4a53-9f0a-6c8f3a9d52c7';

/** The payment of an order as one of its events describes it, and its refund if it has one. */
export function recordsOf(order: OrderChanged, type: OrderEventType, wallet: string): DashboardRecord[] {
  const refunded = BigInt(order.refunded_amount ?? 0);
  const payment = paymentOf(order, type, wallet);
  if (refunded === 0n) return [payment];
  return [
    payment,
    {
      ...payment,
      id: uuidOfName(order.order_id, refundIds),
      type: 'refund',
      outcome: 'completed',
      wasCompleted: true,
      amount: refunded,
      feeAmount: 0n,
      conversion: null,
      token: order.pay_token,
      network: order.pay_blockchain,
      valueUsd: null,
      txHash: '',
      description: `Deposit sent back: ${payment.description}`,
    },
  ];
}

function paymentOf(order: OrderChanged, type: OrderEventType, wallet: string): DashboardRecord {
  // A client can report any transaction. Only an amount that arrived or was refunded proves that money moved.
  const wasCompleted = order.status === 'settled' || type === 'order-reorged';
  return {
    id: order.order_id,
    wallet,
    type: 'payment',
    orderId: order.order_id,
    version: order.version,
    outcome: outcomes[order.status],
    isOwn: order.created_by === wallet,
    isSeen: wasCompleted || (order.settled_amount ?? order.refunded_amount ?? null) !== null,
    wasCompleted,
    amount: BigInt(order.settled_amount ?? order.merchant_amount),
    feeAmount: BigInt(order.fee_amount),
    conversion: conversionOf(order),
    token: order.settle_token,
    network: order.settle_chain,
    // Events of earlier versions do not have this field.
    valueUsd: order.status === 'settled' ? (order.settled_value_usd ?? null) : null,
    txHash: order.settle_tx ?? order.pay_tx ?? '',
    counterparty: payerOf(order),
    description: canonicalPayer(order.merchant_id) === null ? `Order of ${order.merchant_id}` : 'Order',
    isLate: order.late,
    isConfirmed: false,
    createdAtMs: createdAtMsOf(order.order_id, Date.parse(order.updated_at)),
    updatedAtMs: Date.parse(order.updated_at),
  };
}

/** Events of earlier versions have neither field. */
const conversionOf = ({ price, rate }: OrderChanged): Conversion | null =>
  price && rate ? { price, rate } : null;

/**
 * The payer of an order. The creator of a direct order may state any payer, so the actual payer has priority. A deposit
 * is refunded to the stated payer.
 */
function payerOf({
  method,
  paid_by: payer,
  payer_address: named,
  refund_account: isPayerless,
}: OrderChanged): string | null {
  if (isPayerless === true) return null;
  // Events of earlier versions do not have `paid_by`.
  return method === 'Direct' && payer !== undefined ? payer : named;
}

/**
 * Ids of orders and payments (UUID version 7) begin with their creation time in milliseconds. The clock that made an id
 * may be ahead, so the result is at most the time of the change.
 */
function createdAtMsOf(id: string, changedAtMs: number): number {
  const idMs = id[14] === '7' ? parseInt(id.slice(0, 8) + id.slice(9, 13), 16) : changedAtMs;
  return Math.min(idMs, changedAtMs);
}

/** The state of a PayLink payment after a change. */
export interface PayLinkPayment {
  id: string;
  wallet: string;
  linkName: string;
  network: string;
  token: string;
  amount: bigint;
  txHash: string;
  payer: string | null;
  valueUsd: string | null;
  isVerified: boolean;
  isConfirmed: boolean;
  isCounted: boolean;
  version: number;
  changedAtMs: number;
}

/**
 * The record of a PayLink payment. It stays pending until a node has verified it or the merchant has confirmed it,
 * since anyone can claim a payment.
 */
export function recordOfPayLink(payment: PayLinkPayment): DashboardRecord {
  const { id, isConfirmed, isCounted, changedAtMs } = payment;
  const isProven = payment.isVerified || isConfirmed;
  const isCompleted = isProven && isCounted;
  return {
    id,
    wallet: payment.wallet,
    type: 'payment',
    orderId: null,
    version: payment.version,
    outcome: isCompleted ? 'completed' : 'pending',
    isOwn: true,
    isSeen: isProven,
    wasCompleted: isProven,
    amount: payment.amount,
    feeAmount: 0n,
    conversion: null,
    token: payment.token,
    network: payment.network,
    valueUsd: isCompleted ? payment.valueUsd : null,
    txHash: payment.txHash,
    counterparty: payment.payer,
    description: `PayLink: ${payment.linkName}`,
    isLate: false,
    isConfirmed,
    createdAtMs: createdAtMsOf(id, changedAtMs),
    updatedAtMs: changedAtMs,
  };
}

/** One change may revert a payment and then count it again, so the counted state has the higher version. */
export const payLinkVersion = (version: number, isCounted: boolean): number =>
  2 * version + Number(isCounted);

/** Merges two records with the same id, regardless of their order. */
export function mergeRecords(one: DashboardRecord, other: DashboardRecord): DashboardRecord {
  const newest = other.version > one.version ? other : one;
  return {
    ...newest,
    isOwn: one.isOwn || other.isOwn,
    isSeen: one.isSeen || other.isSeen,
    wasCompleted: one.wasCompleted || other.wasCompleted,
    createdAtMs: Math.min(one.createdAtMs, other.createdAtMs),
  };
}

/** Merges records, so that each id occurs once. */
export function mergeAll(records: readonly DashboardRecord[]): DashboardRecord[] {
  const merged = new Map<string, DashboardRecord>();
  for (const record of records) {
    const known = merged.get(record.id);
    merged.set(record.id, known ? mergeRecords(known, record) : record);
  }
  return [...merged.values()];
}

const dayOf = (timeMs: number): string => new Date(timeMs).toISOString().slice(0, 10);

/** The contribution of a record to the sums; null for refunds, unfinished payments and hidden records. */
export function contributionOf(record: DashboardRecord): Contribution | null {
  const { wallet, network, token, outcome, valueUsd } = record;
  if (record.type !== 'payment' || !(record.isOwn || record.isSeen)) return null;
  const of = { wallet, network, token, completed: 0, unsuccessful: 0, expired: 0, unpriced: 0, confirmed: 0 };
  if (outcome === 'completed')
    return {
      ...of,
      day: dayOf(record.updatedAtMs),
      completed: 1,
      unpriced: valueUsd === null ? 1 : 0,
      confirmed: record.isConfirmed ? 1 : 0,
      amount: String(record.amount),
      value_usd: valueUsd ?? '0',
    };
  if (outcome === 'pending' && !record.wasCompleted) return null;
  const expired = outcome === 'expired' && !record.wasCompleted ? 1 : 0;
  return { ...of, day: dayOf(record.createdAtMs), unsuccessful: 1, expired, amount: '0', value_usd: '0' };
}

/** The contribution with negated counts and amounts, to subtract it from the sums. */
export function withoutContribution(contribution: Contribution): Contribution {
  const { completed, unsuccessful, expired, unpriced, confirmed, amount, value_usd } = contribution;
  return {
    ...contribution,
    completed: -completed,
    unsuccessful: -unsuccessful,
    expired: -expired,
    unpriced: -unpriced,
    confirmed: -confirmed,
    amount: `-${amount}`,
    value_usd: `-${value_usd}`,
  };
}
