import { Orders1795200000000 } from './1795200000000-orders';

/** All migrations of this schema, oldest first. */
export const migrations = [Orders1795200000000];
