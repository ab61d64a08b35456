import { Transactions1795500000000 } from './1795500000000-transactions';

/** All migrations of this schema, oldest first. */
export const migrations = [Transactions1795500000000];
