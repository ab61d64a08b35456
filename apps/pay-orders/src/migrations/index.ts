import { Orders1795200000000 } from './1795200000000-orders';
import { CrossChain1795300000000 } from './1795300000000-cross-chain';

/** All migrations of this schema, oldest first. */
export const migrations = [Orders1795200000000, CrossChain1795300000000];
