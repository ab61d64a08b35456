import type {
  Conversion,
  ExecutionStrategy,
  OrderChanged,
  OrderStatus,
  PaymentRequestStatus,
  PaymentStatus,
  PaymentStep,
  PaymentStepType,
} from '@tollbridge/contracts';

/** A payment request of a merchant, or of a checkout of a PayLink. */
export interface PaymentRequest {
  id: string;
  /** The PayLink of a checkout; null for a request of a merchant. */
  paylinkId: string | null;
  wallet: string;
  /** With a price: its last conversion. */
  amount: bigint;
  /** Null for a request with an amount of the token. */
  conversion: Conversion | null;
  currency: string;
  chain: string;
  description: string;
  metadata: Record<string, unknown> | null;
  /** Null until the merchant has an address on the chain. The first payment fixes the address. */
  receiveAddress: string | null;
  successUrl: string | null;
  cancelUrl: string | null;
  expiresAtMs: number | null;
  canceledAtMs: number | null;
  /** The number of payments on the chain that still lack confirmations. A submitted hash alone does not count. */
  seenPayments: number;
  completedPayments: number;
  createdAtMs: number;
  updatedAtMs: number;
}

/** The state of a payment, derived from its order. */
export interface PaymentState {
  status: PaymentStatus;
  orderStatus: OrderStatus;
  /**
   * Whether the chain shows the payment or the route provider has the deposit. A submitted hash alone does not count.
   */
  isSeen: boolean;
  payTx: string | null;
  /** The payer of a direct payment according to the chain; null while only a hash was submitted. */
  paidBy: string | null;
  settleTx: string | null;
  settledAmount: bigint | null;
  /** In US dollars as a decimal string; null while unpaid or without a price. */
  settledValueUsd: string | null;
  failureReason: string | null;
  /** Whether the money arrived after the end of the order. */
  isLate: boolean;
  /** The day (UTC) that counts the payment in its sums; null unless completed. */
  countedOn: string | null;
  /** The version of the order that this state is derived from; 0 before the first event. */
  orderVersion: number;
  updatedAtMs: number;
}

/**
 * The status of a request. A paid request is completed, even if it was cancelled or has expired. The clock decides the
 * expiry, so no worker is needed.
 */
export function requestStatus(
  request: Pick<PaymentRequest, 'completedPayments' | 'seenPayments' | 'canceledAtMs' | 'expiresAtMs'>,
  nowMs: number,
): PaymentRequestStatus {
  if (request.completedPayments > 0) return 'completed';
  if (request.seenPayments > 0) return 'processing';
  if (request.canceledAtMs !== null) return 'canceled';
  return request.expiresAtMs !== null && request.expiresAtMs <= nowMs ? 'expired' : 'pending';
}

/** The reason that a request with this status cannot be paid, as a text for payers; undefined when it can be paid. */
export function closedBecause(status: PaymentRequestStatus): string | undefined {
  if (status === 'completed') return 'This has been paid already.';
  if (status === 'expired') return 'This can no longer be paid: its time is over.';
  return status === 'canceled'
    ? 'This can no longer be paid: the merchant has canceled it, or its PayLink accepts no more payments.'
    : undefined;
}

const statusOfOrder: Record<OrderStatus, PaymentStatus> = {
  waiting_payment: 'executing',
  settling: 'executing',
  settled: 'completed',
  failed: 'failed',
  expired: 'expired',
};

/** The state of a payment after an event of its order. A counted payment stays in the sums of its day. */
export function stateAfter(before: PaymentState, order: OrderChanged): PaymentState {
  const status = statusOfOrder[order.status];
  const isCompleted = status === 'completed';
  return {
    status,
    orderStatus: order.status,
    // Events that were published before the field existed count as seen.
    isSeen: order.status === 'settling' && (order.payment_seen ?? true),
    payTx: order.pay_tx,
    paidBy: order.paid_by ?? null,
    settleTx: order.settle_tx,
    settledAmount: order.settled_amount === null ? null : BigInt(order.settled_amount),
    settledValueUsd: isCompleted ? (order.settled_value_usd ?? null) : null,
    failureReason: order.failure_reason,
    isLate: order.late,
    countedOn: isCompleted ? (before.countedOn ?? order.updated_at.slice(0, 10)) : null,
    orderVersion: order.version,
    // The clock of pay-orders may be behind the clock of this app.
    updatedAtMs: Math.max(before.updatedAtMs, Date.parse(order.updated_at)),
  };
}

const stepsOf: Record<ExecutionStrategy, readonly PaymentStepType[]> = {
  direct: ['transfer'],
  swap: ['swap', 'transfer'],
  bridge: ['bridge', 'transfer'],
  swap_and_bridge: ['swap', 'bridge', 'transfer'],
};

/**
 * The steps of a payment. The first one starts with the payer's transaction, the last one is the transfer to the
 * merchant. Steps of a route provider are shown only after they have ended.
 */
export function stepsFor(
  strategy: ExecutionStrategy,
  state: Pick<PaymentState, 'orderStatus' | 'payTx' | 'settleTx'>,
): PaymentStep[] {
  const { orderStatus, payTx, settleTx } = state;
  const types = stepsOf[strategy];
  return types.map((step_type, index) => {
    const [isFirst, isLast] = [index === 0, index === types.length - 1];
    const hash = isLast && orderStatus === 'settled' ? settleTx : null;
    return {
      step_type,
      status: stepStatus(orderStatus, isFirst),
      transaction_hash: hash ?? (isFirst ? payTx : null),
    };
  });
}

function stepStatus(orderStatus: OrderStatus, isFirst: boolean): PaymentStep['status'] {
  if (orderStatus === 'settled') return 'completed';
  if (!isFirst || orderStatus === 'waiting_payment') return 'pending';
  return orderStatus === 'settling' ? 'executing' : 'failed';
}

/** The progress in percent. A step in progress counts half, even if it fails after its transaction. */
export function progressOf(steps: readonly PaymentStep[]): number {
  const halves = steps.reduce((sum, { status, transaction_hash: hash }) => {
    if (status === 'completed') return sum + 2;
    return sum + (status === 'executing' || (status === 'failed' && hash !== null) ? 1 : 0);
  }, 0);
  return steps.length === 0 ? 0 : Math.floor((100 * halves) / (2 * steps.length));
}

/** The first day (UTC) of each period of the statistics that contains `nowMs`. */
/** The bounds of a list in milliseconds. */
export const periodOf = ({ from, to }: { from?: string; to?: string }) => ({
  fromMs: timeOf(from),
  toMs: timeOf(to),
});

const timeOf = (text: string | undefined): number | undefined =>
  text === undefined ? undefined : Date.parse(text);

export function periodStarts(nowMs: number): { today: string; week: string; month: string } {
  const day = (ms: number) => new Date(ms).toISOString().slice(0, 10);
  const today = new Date(nowMs);
  // A week begins on Monday, so Sunday is its seventh day.
  const daysIntoWeek = (today.getUTCDay() + 6) % 7;
  const dayMs = 86_400_000;
  return {
    today: day(nowMs),
    week: day(nowMs - daysIntoWeek * dayMs),
    month: `${day(nowMs).slice(0, 7)}-01`,
  };
}
