import { Purchases1796800000000 } from './1796800000000-purchases';
import { Mail1796820000000 } from './1796820000000-mail';
import { Sms1796830000000 } from './1796830000000-sms';
import { Cards1796840000000 } from './1796840000000-cards';
import { Catalog1796850000000 } from './1796850000000-catalog';
import { Payouts1796850000001 } from './1796850000001-payouts';
import { PayoutsOnChain1796860000000 } from './1796860000000-payouts-on-chain';
import { NamedPurchases1796862000000 } from './1796862000000-named-purchases';
import { Prices1796960000000 } from './1796960000000-prices';
import { PurchaseProviders1797600000000 } from './1797600000000-purchase-providers';
import { Retention1797700000000 } from './1797700000000-retention';
import { OperatorActions1797700100000 } from './1797700100000-operator-actions';
import { Leases1798000000000 } from './1798000000000-leases';
import { PayoutsByState1798400100000, PayoutsOfWallet1798400000000 } from './1798400000000-payout-lists';
import { Sales1799600000000 } from './1799600000000-sales';
import { SoldOffers1799677000000 } from './1799677000000-sold-offers';
import { SalesStuck1800479000000 } from './1800479000000-sales-stuck';
import { LockRows1801200000000 } from './1801200000000-lock-rows';
import { OrderedTimes1801210000000 } from './1801210000000-ordered-times';
import { UnclaimedPayments1801600000000 } from './1801600000000-unclaimed-payments';
import { SalesTransaction1801610000000 } from './1801610000000-sales-transaction';
import { AgreedPrices1802000000000 } from './1802000000000-agreed-prices';

/** All migrations of this schema, oldest first. */
export const migrations = [
  Purchases1796800000000,
  Mail1796820000000,
  Sms1796830000000,
  Cards1796840000000,
  Catalog1796850000000,
  Payouts1796850000001,
  PayoutsOnChain1796860000000,
  NamedPurchases1796862000000,
  Prices1796960000000,
  PurchaseProviders1797600000000,
  Retention1797700000000,
  OperatorActions1797700100000,
  Leases1798000000000,
  PayoutsOfWallet1798400000000,
  PayoutsByState1798400100000,
  Sales1799600000000,
  SoldOffers1799677000000,
  SalesStuck1800479000000,
  LockRows1801200000000,
  OrderedTimes1801210000000,
  UnclaimedPayments1801600000000,
  SalesTransaction1801610000000,
  AgreedPrices1802000000000,
];
