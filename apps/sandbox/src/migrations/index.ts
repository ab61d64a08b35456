import { PricesAndSwaps1795400000000 } from './1795400000000-prices-and-swaps';
import { BridgeDeposits1795900000000 } from './1795900000000-bridge-deposits';

/** All migrations of this schema, oldest first. */
export const migrations = [PricesAndSwaps1795400000000, BridgeDeposits1795900000000];
