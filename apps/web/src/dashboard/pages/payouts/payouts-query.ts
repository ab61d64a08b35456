/** Lists of payouts, and single ones. */
export const payoutsKey = ['payouts'] as const;
