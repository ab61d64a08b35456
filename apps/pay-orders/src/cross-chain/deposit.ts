import type { RouteState, RouteStatus } from '@tollbridge/routing';
import type { Order, OrderEvent } from '../orders/order';
import type { OrderTransition } from '../orders/storage/order-transitions.repository';

/** A transfer to the merchant on the settle chain, in the settle token. */
export interface Transfer {
  txHash: string;
  /** -1 for a transfer of the chain's coin. */
  logIndex: number;
  amountAtomic: bigint;
}

/**
 * What the settle chain shows of a delivery that the provider reported:
 * - `read`: these transfers to the merchant have the required confirmations
 * - `pending`: not enough confirmations yet, or no node shows it yet
 * - `misnamed`: the provider names it by a text that is not a transaction hash of this chain
 * - `unread`: no node of this chain is configured, so the provider's report counts
 */
export type Delivery =
  | { kind: 'read'; transfers: readonly Transfer[] }
  | { kind: 'pending' }
  | { kind: 'misnamed' }
  | { kind: 'unread' };

/** How the state of a deposit changes its order. */
export interface DepositVerdict {
  changes: { event: OrderEvent; change: Omit<OrderTransition, 'orderId'> }[];
  /** Transfers that settle this order; they settle no other order. */
  claims: Transfer[];
  proof: 'chain' | 'provider' | null;
  /** The deposit is in a final state: only what arrives later still moves. */
  isOver: boolean;
  /** Why a reported delivery does not settle the order. */
  problem: string | null;
}

/** The verdict that changes nothing. */
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

/** Pure: the same facts give the same verdict in every replica. */
export function evaluateDeposit(facts: DepositFacts): DepositVerdict {
  const { order, status, endedIn } = facts;
  if (endedIn === status.state) return { ...nothing, isOver: true };
  if (status.state === 'waiting' || isStaleReport(facts)) return evaluateWaiting(facts);
  if (isEmpty(status)) return { ...rejectedReport(order), isOver: true };
  // What arrived after the order had failed was sent back too: no second failure.
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

/** Ended without a deposit: no payment failed. */
const isEmpty = ({ state, depositTxs, depositedAtomic }: RouteStatus): boolean =>
  (state === 'failed' || state === 'refunded') && depositTxs.length === 0 && !depositedAtomic;

const isEnd = ({ state }: RouteStatus): boolean => ['delivered', 'refunded', 'failed'].includes(state);

const isLoss = ({ state }: RouteStatus): boolean => state === 'refunded' || state === 'failed';

/** `seen` is what a client reported: without a deposit it counts until the deposit address has ended. */
const isStaleReport = ({ status, deadlineMs, nowMs }: DepositFacts): boolean =>
  status.state === 'seen' && nowMs > deadlineMs + reportGraceMs;

/** Nothing has arrived: a report that no deposit followed ends, and the order does not. */
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

/** Whether a deposit in a final state is not followed any more: by then the provider has returned late transfers. */
export const isClosed = (deadlineMs: number, nowMs: number): boolean => nowMs > deadlineMs + watchedAfterMs;

function evaluateDelivery(facts: DepositFacts, seen: DepositVerdict['changes']): DepositVerdict {
  const { order, status, delivery, claimed } = facts;
  if (delivery.kind === 'pending') return { ...nothing, changes: seen };
  // Nothing was read, so nothing settles; the provider is asked again until it names the settle chain's transactions.
  if (delivery.kind === 'misnamed')
    return unproven(
      facts,
      seen,
      'the provider names a delivery by a text that is not a transaction hash of the settle chain',
    );
  if (delivery.kind === 'unread') {
    const { amountOutAtomic: received, deliveryTxs } = status;
    if (received === null) return unproven(facts, seen, 'the provider reports a delivery without its amount');
    const found = { changes: seen, claims: [], proof: 'provider' as const };
    return deliveredAs(found, order.merchantAmount, received, deliveryTxs[0]);
  }
  const free = delivery.transfers.filter((transfer) => !claimed.has(claimKey(transfer)));
  // One transaction may pay one merchant for many orders. Take the transfer of exactly this amount, or else the one of
  // the amount that the provider reports.
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

/** Waits until long after the deadline. */
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
  const refunded = refundedAtomic === null ? '' : `; sent back ${refundedAtomic}`;
  return state === 'refunded'
    ? `DEPOSIT_REFUNDED: ${refundReason ?? 'the route could not be completed'}${deposited}${refunded}`
    : `ROUTE_FAILED: the route provider could not complete it${deposited}${refunded}`;
}
