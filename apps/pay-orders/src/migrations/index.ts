import { Orders1795200000000 } from './1795200000000-orders';
import { CrossChain1795300000000 } from './1795300000000-cross-chain';
import { Idempotency1796000000000 } from './1796000000000-idempotency';
import { OrderMakers1796300000000 } from './1796300000000-order-makers';
import { Prices1796960000000 } from './1796960000000-prices';
import { UnvaluedOrders1796980000000 } from './1796980000000-unvalued-orders';
import { Refunds1797040000000 } from './1797040000000-refunds';
import { Retention1797700000000 } from './1797700000000-retention';
import { OperatorActions1797700100000 } from './1797700100000-operator-actions';
import { Leases1798000000000 } from './1798000000000-leases';
import { Facilitator1798100000000 } from './1798100000000-facilitator';
import { FacilitatorSolana1798200000000 } from './1798200000000-facilitator-solana';
import { LockRows1801200000000 } from './1801200000000-lock-rows';
import { OrderedTimes1801210000000 } from './1801210000000-ordered-times';
import { OrderReports1801500000000 } from './1801500000000-order-reports';
import { SettlementsReceived1801650000000 } from './1801650000000-settlements-received';
import { DisplacedReports1801990200000 } from './1801990200000-displaced-reports';
import { AgreedPrices1802000000000 } from './1802000000000-agreed-prices';
import { PricesOfOrders1802000100000 } from './1802000100000-prices-of-orders';

/** All migrations of this schema, oldest first. */
export const migrations = [
  Orders1795200000000,
  CrossChain1795300000000,
  Idempotency1796000000000,
  OrderMakers1796300000000,
  Prices1796960000000,
  UnvaluedOrders1796980000000,
  Refunds1797040000000,
  Retention1797700000000,
  OperatorActions1797700100000,
  Leases1798000000000,
  Facilitator1798100000000,
  FacilitatorSolana1798200000000,
  LockRows1801200000000,
  OrderedTimes1801210000000,
  OrderReports1801500000000,
  SettlementsReceived1801650000000,
  DisplacedReports1801990200000,
  AgreedPrices1802000000000,
  PricesOfOrders1802000100000,
];
