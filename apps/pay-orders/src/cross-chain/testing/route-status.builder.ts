import type { RouteStatus } from '@tollbridge/routing';

/** A route that delivered 1,000 units for a deposit of 1,010. */
export const aRouteStatus = (changes: Partial<RouteStatus> = {}): RouteStatus => ({
  state: 'delivered',
  depositTxs: ['0xin'],
  deliveryTxs: ['0xout'],
  depositedAtomic: 1_010n,
  amountInAtomic: 1_010n,
  amountOutAtomic: 1_000n,
  refundedAtomic: null,
  refundReason: null,
  updatedAt: null,
  ...changes,
});
