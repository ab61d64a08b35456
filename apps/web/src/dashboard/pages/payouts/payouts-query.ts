/** Query key of lists of payouts, and of single payouts. */
export const payoutsKey = ['payouts'] as const;
