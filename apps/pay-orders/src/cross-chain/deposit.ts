import type { RouteState, RouteStatus } from '@tollbridge/routing';
import type { Order, OrderEvent } from '../orders/order';
import type { OrderTransition } from '../orders/storage/order-transitions.repository';

/** A transfer to the merchant on the settle chain, in the settle token. */
export interface Transfer {
  txHash: string;
  /** -1 for a transfer of the chain's native coin. */
  logIndex: number;
  amountAtomic: bigint;
}

/**
 * The observation of a reported delivery on the settle chain:
 * - `read`: these transfers to the merchant have the required confirmations
 * - `pending`: too few confirmations, or no node shows the delivery yet
 * - `misnamed`: the provider's text is not a transaction hash of this chain
 * - `unread`: no node of this chain is configured, so the provider's report counts
 */
export type Delivery =
  | { kind: 'read'; transfers: readonly Transfer[] }
  | { kind: 'pending' }
  | { kind: 'misnamed' }
  | { kind: 'unread' };

/** The changes that the state of a deposit causes in its order. */
export interface DepositVerdict {
  changes: { event: OrderEvent; change: Omit<OrderTransition, 'orderId'> }[];
  /** Transfers that settle this order, and so can settle no other order. */
  claims: Transfer[];
  proof: 'chain' | 'provider' | null;
  /** Whether the deposit is in a final state, so that only later deposits can change it. */
  isOver: boolean;
  /** The reason that a reported delivery does not settle the order. */
  problem: string | null;
}

/** A verdict without changes. */
export const nothing: DepositVerdict = { changes: [], claims: [], proof: null, isOver: false, problem: null };

export interface DepositFacts {
  order: Pick<Order, 'status' | 'merchantAmount' | 'payTx' | 'lastReport'>;
  status: RouteStatus;
  /** The final state that was applied to the order before; null while there is none. */
  endedIn: RouteState | null;
  delivery: Delivery;
  /** Transfers that have settled other orders. */
  claimed: ReadonlySet<string>;
  deadlineMs: number;
  nowMs: number;
}

// The provider may report a deposit some minutes after it was mined.
const reportGraceMs = 10 * 60_000;
// A deposit may still be found and refunded this long after its deadline.
const watchedAfterMs = 24 * 60 * 60_000;

export const claimKey = ({ txHash, logIndex }: Pick<Transfer, 'txHash' | 'logIndex'>): string =>
  `${txHash} ${logIndex}`;

/** A pure function: the same facts result in the same verdict in every replica. */
export function evaluateDeposit(facts: DepositFacts): DepositVerdict {
  const { order, status, endedIn } = facts;
  if (endedIn === status.state) return { ...nothing, isOver: true };
  if (status.state === 'waiting' || isStaleReport(facts)) return evaluateWaiting(facts);
  if (isEmpty(status)) return { ...rejectedReport(order), isOver: true };
  // A deposit that arrived after the order had failed was refunded too. That is not a second failure.
  if (endedIn !== null && order.status === 'failed' && isLoss(status)) return { ...nothing, isOver: true };
  const seen: DepositVerdict['changes'] =
    order.status === 'settling' || order.status === 'settled'
      ? []
      : [{ event: 'paymentSeen', change: { ...(status.depositTxs[0] && { detail: status.depositTxs[0] }) } }];
  if (order.status === 'settled') return { ...nothing, isOver: isEnd(status) };
  switch (status.state) {
    case 'seen':
    case 'incomplete':
    case 'processing':
      return { ...nothing, changes: seen };
    case 'delivered':
      return evaluateDelivery(facts, seen);
    case 'refunded':
    case 'failed': {
      const rejected = { event: 'paymentRejected', change: { detail: failureReason(status) } } as const;
      return { ...nothing, changes: [...seen, rejected], isOver: true };
    }
  }
}

/** Whether the route ended without a deposit, so that no payment failed. */
const isEmpty = ({ state, depositTxs, depositedAtomic }: RouteStatus): boolean =>
  (state === 'failed' || state === 'refunded') && depositTxs.length === 0 && !depositedAtomic;

const isEnd = ({ state }: RouteStatus): boolean => ['delivered', 'refunded', 'failed'].includes(state);

const isLoss = ({ state }: RouteStatus): boolean => state === 'refunded' || state === 'failed';

/** `seen` is only the report of a client. Without a deposit, it counts until the deposit address has ended. */
const isStaleReport = ({ status, deadlineMs, nowMs }: DepositFacts): boolean =>
  status.state === 'seen' && nowMs > deadlineMs + reportGraceMs;

/** Without a deposit, a report ends after some time, but the order continues. */
function evaluateWaiting({ order, deadlineMs, nowMs }: DepositFacts): DepositVerdict {
  const isOver = nowMs > deadlineMs + watchedAfterMs;
  const endMs = Math.min(order.lastReport?.atMs ?? deadlineMs, deadlineMs) + reportGraceMs;
  return nowMs <= endMs ? { ...nothing, isOver } : { ...rejectedReport(order), isOver };
}

function rejectedReport({ status }: DepositFacts['order']): DepositVerdict {
  if (status !== 'settling') return nothing;
  const detail = 'DEPOSIT_NOT_FOUND: no deposit followed the reported transaction';
  return { ...nothing, changes: [{ event: 'reportRejected', change: { detail } }] };
}

/** Whether the checks of a deposit in a final state end, because the provider has refunded late transfers by then. */
export const isClosed = (deadlineMs: number, nowMs: number): boolean => nowMs > deadlineMs + watchedAfterMs;

function evaluateDelivery(facts: DepositFacts, seen: DepositVerdict['changes']): DepositVerdict {
  const { order, status, delivery, claimed } = facts;
  if (delivery.kind === 'pending') return { ...nothing, changes: seen };
  // Nothing was read, so nothing settles. The provider is polled until it returns transactions of the settle chain.
  if (delivery.kind === 'misnamed')
    return unproven(
      facts,
      seen,
      'the provider reports a delivery with a text that is not a transaction hash of the settle chain',
    );
  if (delivery.kind === 'unread') {
    const { amountOutAtomic: received, deliveryTxs } = status;
    if (received === null) return unproven(facts, seen, 'the provider reports a delivery without its amount');
    const found = { changes: seen, claims: [], proof: 'provider' as const };
    return deliveredAs(found, order.merchantAmount, received, deliveryTxs[0]);
  }
  const free = delivery.transfers.filter((transfer) => !claimed.has(claimKey(transfer)));
  // One transaction may pay one merchant for many orders. Prefers the transfer of exactly this amount, then the one
  // with the amount that the provider reports.
  const own = [order.merchantAmount, status.amountOutAtomic]
    .map((amount) => free.find(({ amountAtomic }) => amountAtomic === amount))
    .find((transfer) => transfer !== undefined);
  const claims = own ? [own] : free;
  if (claims.length === 0) {
    const problem = 'the provider reports a delivery, but its transactions do not pay the merchant';
    return unproven(facts, seen, problem);
  }
  const received = claims.reduce((sum, { amountAtomic }) => sum + amountAtomic, 0n);
  const found = { changes: seen, claims, proof: 'chain' as const };
  return deliveredAs(found, order.merchantAmount, received, claims[0]!.txHash);
}

/** Keeps the order waiting until long after the deadline, then fails it. */
function unproven(
  { deadlineMs, nowMs }: DepositFacts,
  seen: DepositVerdict['changes'],
  problem: string,
): DepositVerdict {
  if (nowMs <= deadlineMs + watchedAfterMs) return { ...nothing, changes: seen, problem };
  const rejected = {
    event: 'paymentRejected',
    change: { detail: `DELIVERY_NOT_FOUND: ${problem}` },
  } as const;
  return { ...nothing, changes: [...seen, rejected], isOver: true, problem };
}

function deliveredAs(
  found: Pick<DepositVerdict, 'changes' | 'claims' | 'proof'>,
  owed: bigint,
  received: bigint,
  settleTx: string | undefined,
): DepositVerdict {
  const change = { amount: received, ...(settleTx && { settleTx }) };
  const end = { ...found, isOver: true, problem: null };
  if (received >= owed) return { ...end, changes: [...found.changes, { event: 'delivered', change }] };
  const detail = `DELIVERED_TOO_LITTLE: the merchant received ${received} of ${owed}`;
  return { ...end, changes: [...found.changes, { event: 'deliveredShort', change: { ...change, detail } }] };
}

function failureReason({ state, depositedAtomic, refundedAtomic, refundReason }: RouteStatus): string {
  const deposited = depositedAtomic === null ? '' : `; deposited ${depositedAtomic}`;
  const refunded = refundedAtomic === null ? '' : `; refunded ${refundedAtomic}`;
  return state === 'refunded'
    ? `DEPOSIT_REFUNDED: ${refundReason ?? 'the route could not be completed'}${deposited}${refunded}`
    : `ROUTE_FAILED: the route provider could not complete it${deposited}${refunded}`;
}
