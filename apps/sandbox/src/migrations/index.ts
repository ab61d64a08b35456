import { PricesAndSwaps1795400000000 } from './1795400000000-prices-and-swaps';

/** All migrations of this schema, oldest first. */
export const migrations = [PricesAndSwaps1795400000000];
