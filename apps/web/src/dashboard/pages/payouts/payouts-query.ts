/** Prefix of the query keys of payout lists and of single payouts. */
export const payoutsKey = ['payouts'] as const;
