import type { Clock } from '@tollbridge/database';
import type { Checkout } from './checkout';
import type { TransactionsRepository } from './transactions.repository';

/** Parts that the routes of all three products share. */
export interface Parts {
  checkout: Checkout;
  transactions: TransactionsRepository;
  clock: Clock;
}
