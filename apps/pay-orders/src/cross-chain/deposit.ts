import type { RouteStatus } from '@tollbridge/routing';
import type { Order, OrderEvent } from '../orders/order';
import type { OrderMove } from '../orders/order-moves.repository';

/** A transfer to the merchant on the settle chain, in the settle token. */
export interface Transfer {
  txHash: string;
  /** -1 for a transfer of the chain's coin. */
  logIndex: number;
  amountAtomic: bigint;
}

/**
 * What the settle chain says of a delivery that the provider told of:
 * - `read`: these transfers to the merchant have the required confirmations
 * - `pending`: not enough confirmations yet, or a node does not know it yet
 * - `unread`: no node of this chain is configured; the provider's word stands
 */
export type Delivery = { kind: 'read'; transfers: Transfer[] } | { kind: 'pending' } | { kind: 'unread' };

/** What happens to an order because of its deposit. */
export interface DepositVerdict {
  moves: { event: OrderEvent; move: Omit<OrderMove, 'orderId'> }[];
  /** Transfers that settle this order, and so no other one. */
  claims: Transfer[];
  proof: 'chain' | 'provider' | null;
  /** Nothing more can come of it. */
  isOver: boolean;
  /** Why a delivery is not believed. */
  problem: string | null;
}

/** Nothing happens. */
export const nothing: DepositVerdict = { moves: [], claims: [], proof: null, isOver: false, problem: null };

export interface DepositFacts {
  order: Pick<Order, 'status' | 'merchantAmount' | 'payTx'>;
  status: RouteStatus;
  delivery: Delivery;
  /** Transfers that have settled other orders. */
  claimed: ReadonlySet<string>;
  deadlineMs: number;
  nowMs: number;
}

// The provider may tell of a deposit some minutes after it was mined.
const reportGraceMs = 10 * 60_000;
// Long after its end a deposit may still be found and sent back; then the address is forgotten.
const watchedAfterMs = 24 * 60 * 60_000;

export const claimKey = ({ txHash, logIndex }: Pick<Transfer, 'txHash' | 'logIndex'>): string =>
  `${txHash} ${logIndex}`;

/** Pure: the same facts always give the same verdict, whoever finds them. */
export function judgeDeposit(facts: DepositFacts): DepositVerdict {
  const { order, status } = facts;
  if (status.state === 'waiting') return judgeWaiting(facts);
  if (isEmpty(status) && order.status !== 'settling') return { ...nothing, isOver: true };
  const seen: DepositVerdict['moves'] =
    order.status === 'settling' || order.status === 'settled'
      ? []
      : [{ event: 'paymentSeen', move: { ...(status.depositTxs[0] && { detail: status.depositTxs[0] }) } }];
  if (order.status === 'settled') return { ...nothing, isOver: isEnd(status) };
  switch (status.state) {
    case 'seen':
    case 'incomplete':
    case 'processing':
      return { ...nothing, moves: seen };
    case 'delivered':
      return judgeDelivered(facts, seen);
    case 'refunded':
    case 'failed': {
      const rejected = { event: 'paymentRejected', move: { detail: failureReason(status) } } as const;
      return { ...nothing, moves: [...seen, rejected], isOver: true };
    }
  }
}

/** It ended without anything having arrived: nobody's payment failed. */
const isEmpty = ({ state, depositTxs, depositedAtomic }: RouteStatus): boolean =>
  (state === 'failed' || state === 'refunded') && depositTxs.length === 0 && !depositedAtomic;

const isEnd = ({ state }: RouteStatus): boolean => ['delivered', 'refunded', 'failed'].includes(state);

function judgeWaiting({ order, deadlineMs, nowMs }: DepositFacts): DepositVerdict {
  const isOver = nowMs > deadlineMs + watchedAfterMs;
  if (order.status !== 'settling' || nowMs <= deadlineMs + reportGraceMs) return { ...nothing, isOver };
  const detail = 'DEPOSIT_NOT_FOUND: no deposit arrived before the deposit address ended';
  return { ...nothing, moves: [{ event: 'paymentRejected', move: { detail } }], isOver };
}

function judgeDelivered(facts: DepositFacts, seen: DepositVerdict['moves']): DepositVerdict {
  const { order, status, delivery, claimed } = facts;
  if (delivery.kind === 'pending') return { ...nothing, moves: seen };
  if (delivery.kind === 'unread') {
    const { amountOutAtomic: received, deliveryTxs } = status;
    if (received === null)
      return unbelieved(facts, seen, 'the provider tells of a delivery without its amount');
    const found = { moves: seen, claims: [], proof: 'provider' as const };
    return deliveredAs(found, order.merchantAmount, received, deliveryTxs[0]);
  }
  const free = delivery.transfers.filter((transfer) => !claimed.has(claimKey(transfer)));
  // One transaction may pay one merchant for many orders: the transfer of exactly this amount is this order's, or else
  // the one of which the provider tells.
  const own = [order.merchantAmount, status.amountOutAtomic]
    .map((amount) => free.find(({ amountAtomic }) => amountAtomic === amount))
    .find((transfer) => transfer !== undefined);
  const claims = own ? [own] : free;
  if (claims.length === 0) {
    const problem = 'the provider tells of a delivery, but its transactions do not pay the merchant';
    return unbelieved(facts, seen, problem);
  }
  const received = claims.reduce((sum, { amountAtomic }) => sum + amountAtomic, 0n);
  const found = { moves: seen, claims, proof: 'chain' as const };
  return deliveredAs(found, order.merchantAmount, received, claims[0]!.txHash);
}

/** Asked about again, until long after its end. */
function unbelieved(
  { deadlineMs, nowMs }: DepositFacts,
  seen: DepositVerdict['moves'],
  problem: string,
): DepositVerdict {
  if (nowMs <= deadlineMs + watchedAfterMs) return { ...nothing, moves: seen, problem };
  const rejected = { event: 'paymentRejected', move: { detail: `DELIVERY_NOT_FOUND: ${problem}` } } as const;
  return { ...nothing, moves: [...seen, rejected], isOver: true, problem };
}

function deliveredAs(
  found: Pick<DepositVerdict, 'moves' | 'claims' | 'proof'>,
  owed: bigint,
  received: bigint,
  settleTx: string | undefined,
): DepositVerdict {
  const move = { amount: received, ...(settleTx && { settleTx }) };
  const end = { ...found, isOver: true, problem: null };
  if (received >= owed) return { ...end, moves: [...found.moves, { event: 'delivered', move }] };
  const detail = `DELIVERED_TOO_LITTLE: the merchant received ${received} of ${owed}`;
  return { ...end, moves: [...found.moves, { event: 'deliveredShort', move: { ...move, detail } }] };
}

function failureReason({ state, depositedAtomic, refundedAtomic, refundReason }: RouteStatus): string {
  const deposited = depositedAtomic === null ? '' : `; deposited ${depositedAtomic}`;
  const refunded = refundedAtomic === null ? '' : `; sent back ${refundedAtomic}`;
  return state === 'refunded'
    ? `DEPOSIT_REFUNDED: ${refundReason ?? 'the route could not be completed'}${deposited}${refunded}`
    : `ROUTE_FAILED: the route provider could not complete it${deposited}${refunded}`;
}
