import type {
  Conversion,
  ForwardingState,
  OrderEventType,
  OrderStatus,
  PayMethod,
} from '@tollbridge/contracts';
import type { RouteState } from '@tollbridge/routing';

/** Kind of work of a new order that is paid to the contract: only the watchers of the chains have work. */
export const orderCreated = 'order-created';

/** Events of the order's state machine. */
export const orderEvents = [
  'paymentReported',
  'paymentSeen',
  'paymentConfirmed',
  'delivered',
  'deliveredShort',
  'paymentRejected',
  'reportRejected',
  'paymentReorged',
  'timeRanOut',
] as const;
export type OrderEvent = (typeof orderEvents)[number];

export type OrderTransitions = Record<OrderStatus, Partial<Record<OrderEvent, OrderStatus>>>;

/**
 * The transition table of an order. An event without an entry changes and publishes nothing. A payment after `failed`
 * or `expired` is still applied, so that no money is lost.
 */
export const transitions: OrderTransitions = {
  waiting_payment: { paymentReported: 'settling', paymentSeen: 'settling', timeRanOut: 'expired' },
  settling: {
    paymentConfirmed: 'settled',
    delivered: 'settled',
    deliveredShort: 'failed',
    paymentRejected: 'failed',
    reportRejected: 'waiting_payment',
  },
  settled: { paymentReorged: 'settling' },
  failed: { paymentSeen: 'settling' },
  expired: { paymentSeen: 'settling' },
};

/** The event type that each transition publishes. */
export const eventTypeOf: Record<OrderEvent, OrderEventType> = {
  paymentReported: 'order-settling',
  paymentSeen: 'order-settling',
  paymentConfirmed: 'order-settled',
  delivered: 'order-settled',
  deliveredShort: 'order-failed',
  paymentRejected: 'order-failed',
  reportRejected: 'order-reopened',
  paymentReorged: 'order-reorged',
  timeRanOut: 'order-expired',
};

/**
 * The states that accept an event, and the one state that it leads to.
 * @throws Error if the table leads the event to no state or to several
 */
export function transitionOf(
  event: OrderEvent,
  table: OrderTransitions = transitions,
): { from: OrderStatus[]; to: OrderStatus } {
  const sources = Object.entries(table).filter(([, possible]) => possible[event] !== undefined);
  const [to, ...others] = new Set(sources.map(([, possible]) => possible[event]!));
  if (to === undefined || others.length > 0) throw new Error(`${event} must lead to exactly one state`);
  return { from: sources.map(([state]) => state as OrderStatus), to };
}

/** The terms that are fixed when an order is created. */
export interface OrderTerms {
  id: string;
  method: PayMethod;
  payChain: string;
  payToken: string;
  settleChain: string;
  settleToken: string;
  merchantAddress: string;
  merchantAmount: bigint;
  /** The price that `merchantAmount` was converted from; null for an order with an amount of the token. */
  conversion: Conversion | null;
  feeReceiver: string;
  feeAmount: bigint;
  merchantId: string;
  payerAddress: string;
  /** Whether the order has no payer, so that `payerAddress` is an address of the operator's refund account. */
  isPayerless: boolean;
  /** Not null exactly when the method is Direct. */
  direct: DirectTerms | null;
  createdAtMs: number;
  expiresAtMs: number;
}

/** The terms of the call to the payment contract. */
export interface DirectTerms {
  contractAddress: string;
  /** The token's address in the contract: on EVM, the zero address is the native coin. */
  tokenInAddress: string;
}

/** The deposit of a cross-chain order. */
export interface OrderDeposit {
  address: string;
  memo: string | null;
  amount: bigint;
  decimals: number;
  estimatedSeconds: number;
  state: RouteState;
  depositedAmount: bigint | null;
  refundedAmount: bigint | null;
  proof: 'chain' | 'provider' | null;
  /** Refunds that the refund account has received, newest first. */
  forwarded: readonly ForwardedRefund[];
}

/** A refund that the refund account has received. */
export interface ForwardedRefund {
  state: ForwardingState;
  amountAtomic: bigint;
  recipient: string | null;
  txHash: string | null;
}

/**
 * States with a confirmed deposit at the deposit address. `seen` is excluded, because the provider may set it for a
 * submitted transaction that no chain shows.
 */
export const arrivedStates: readonly RouteState[] = ['incomplete', 'processing', 'delivered'];

export const hasArrived = (state: RouteState): boolean => arrivedStates.includes(state);

/** A transaction that a client reported. */
export interface ReportedHash {
  txHash: string;
  /** The reason that the transaction does not pay the order; null while that is unknown. */
  reason: string | null;
  atMs: number;
}

/** An order with its current state. */
export interface Order extends OrderTerms {
  status: OrderStatus;
  payTx: string | null;
  settleTx: string | null;
  settledAmount: bigint | null;
  failureReason: string | null;
  isLate: boolean;
  /** The newest report of a client; null without one. */
  lastReport: ReportedHash | null;
  /** Not null exactly when the method is CrossChain. */
  deposit: OrderDeposit | null;
  /** The height of the block with the payment; null while it is unknown. */
  paidHeight: number | null;
  /** Increases with each event of the order. */
  version: number;
  updatedAtMs: number;
}

export function amountIn(terms: Pick<OrderTerms, 'merchantAmount' | 'feeAmount'>): bigint {
  return terms.merchantAmount + terms.feeAmount;
}

/** In Unix seconds. The contract rejects payments in later blocks. */
export function deadlineOf(terms: Pick<OrderTerms, 'expiresAtMs'>): number {
  return Math.floor(terms.expiresAtMs / 1000);
}

/** When an unpaid order expires. It is a whole second, because block times are in seconds. */
export function expiryOf(createdAtMs: number, lifetimeSeconds: number): number {
  return (Math.ceil(createdAtMs / 1000) + lifetimeSeconds) * 1000;
}
