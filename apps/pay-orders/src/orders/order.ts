import type { ForwardingState, OrderEventType, OrderStatus, PayMethod } from '@tollbridge/contracts';
import type { RouteState } from '@tollbridge/routing';

/** What can happen to an order. */
export const orderEvents = [
  'paymentReported',
  'paymentSeen',
  'paymentConfirmed',
  'delivered',
  'deliveredShort',
  'paymentRejected',
  'paymentReorged',
  'timeRanOut',
] as const;
export type OrderEvent = (typeof orderEvents)[number];

/**
 * The life of an order. What is absent cannot happen: nothing changes and nothing is told.
 * Money that arrives is never lost sight of, so a payment is taken even after `failed` and `expired`.
 */
export const transitions: Record<OrderStatus, Partial<Record<OrderEvent, OrderStatus>>> = {
  waiting_payment: { paymentReported: 'settling', paymentSeen: 'settling', timeRanOut: 'expired' },
  settling: {
    paymentConfirmed: 'settled',
    delivered: 'settled',
    deliveredShort: 'failed',
    paymentRejected: 'failed',
  },
  settled: { paymentReorged: 'settling' },
  failed: { paymentSeen: 'settling' },
  expired: { paymentSeen: 'settling' },
};

/** The event that is told when something happened to an order. */
export const toldAs: Record<OrderEvent, OrderEventType> = {
  paymentReported: 'order-settling',
  paymentSeen: 'order-settling',
  paymentConfirmed: 'order-settled',
  delivered: 'order-settled',
  deliveredShort: 'order-failed',
  paymentRejected: 'order-failed',
  paymentReorged: 'order-reorged',
  timeRanOut: 'order-expired',
};

/** The states in which an event is possible, and the one state that it leads to. */
export function moveOf(event: OrderEvent): { from: OrderStatus[]; to: OrderStatus } {
  const moves = Object.entries(transitions).filter(([, possible]) => possible[event] !== undefined);
  const [to, ...others] = new Set(moves.map(([, possible]) => possible[event]!));
  if (to === undefined || others.length > 0) throw new Error(`${event} must lead to exactly one state`);
  return { from: moves.map(([state]) => state as OrderStatus), to };
}

/** What is fixed when an order is made. */
export interface OrderTerms {
  id: string;
  method: PayMethod;
  payChain: string;
  payToken: string;
  settleChain: string;
  settleToken: string;
  merchantAddress: string;
  merchantAmount: bigint;
  feeReceiver: string;
  feeAmount: bigint;
  merchantId: string;
  payerAddress: string;
  /** The payer is not known: `payerAddress` is an address of the operator's refund account. */
  isPayerless: boolean;
  /** Exactly when the method is Direct. */
  direct: DirectTerms | null;
  createdAtMs: number;
  expiresAtMs: number;
}

/** What the payment contract is called with. */
export interface DirectTerms {
  contractAddress: string;
  /** The zero address stands for the native coin. */
  tokenInAddress: string;
}

/** What became of the deposit of a cross-chain order. */
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
  /** Refunds that came back to the refund account, the newest first. */
  forwarded: readonly ForwardedRefund[];
}

/** A refund that came back to the refund account. */
export interface ForwardedRefund {
  state: ForwardingState;
  amountAtomic: bigint;
  recipient: string | null;
  txHash: string | null;
}

/**
 * States in which a confirmed deposit is at the deposit address. Without `seen`: the provider may have set it for a
 * transaction that a client submitted and no chain shows.
 */
export const arrivedStates: readonly RouteState[] = ['incomplete', 'processing', 'delivered'];

export const hasArrived = (state: RouteState): boolean => arrivedStates.includes(state);

/** An order as it stands. */
export interface Order extends OrderTerms {
  status: OrderStatus;
  payTx: string | null;
  settleTx: string | null;
  settledAmount: bigint | null;
  failureReason: string | null;
  isLate: boolean;
  /** Exactly when the method is CrossChain. */
  deposit: OrderDeposit | null;
  /** The block of the payment that was found; null while none is known. */
  paidHeight: number | null;
  updatedAtMs: number;
}

export function amountIn(terms: Pick<OrderTerms, 'merchantAmount' | 'feeAmount'>): bigint {
  return terms.merchantAmount + terms.feeAmount;
}

/** Unix seconds: the contract takes a payment in a block of this time, and none later. */
export function deadlineOf(terms: Pick<OrderTerms, 'expiresAtMs'>): number {
  return Math.floor(terms.expiresAtMs / 1000);
}

/** The end of an order's life without payment, on a whole second, since blocks count in seconds. */
export function expiryOf(createdAtMs: number, lifetimeSeconds: number): number {
  return (Math.ceil(createdAtMs / 1000) + lifetimeSeconds) * 1000;
}
