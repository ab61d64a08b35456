import { Transactions1795500000000 } from './1795500000000-transactions';
import { Idempotency1796000000000 } from './1796000000000-idempotency';
import { Prices1796960000000 } from './1796960000000-prices';
import { SetsOfQuotes1797050000000 } from './1797050000000-sets-of-quotes';
import { Retention1797700000000 } from './1797700000000-retention';
import { Leases1798000000000 } from './1798000000000-leases';
import { AgreedPrices1802000000000 } from './1802000000000-agreed-prices';

/** All migrations of this schema, oldest first. */
export const migrations = [
  Transactions1795500000000,
  Idempotency1796000000000,
  Prices1796960000000,
  SetsOfQuotes1797050000000,
  Retention1797700000000,
  Leases1798000000000,
  AgreedPrices1802000000000,
];
