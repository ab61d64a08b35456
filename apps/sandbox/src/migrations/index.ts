import { PricesAndSwaps1795400000000 } from './1795400000000-prices-and-swaps';
import { BridgeDeposits1795900000000 } from './1795900000000-bridge-deposits';
import { Idempotency1796000000000 } from './1796000000000-idempotency';
import { Reloadly1796810000000 } from './1796810000000-reloadly';
import { Mail1796820000000 } from './1796820000000-mail';
import { Cards1796840000000 } from './1796840000000-cards';
import { Ton1796850000000 } from './1796850000000-ton';
import { Leases1798000000000 } from './1798000000000-leases';
import { Solana1799100000000 } from './1799100000000-solana';
import { Sui1799200000000 } from './1799200000000-sui';
import { Tron1799300000000 } from './1799300000000-tron';
import { TonBlocks1799400000000 } from './1799400000000-ton-blocks';
import { Clock1799500000000 } from './1799500000000-clock';
import { OrderedTimes1801210000000 } from './1801210000000-ordered-times';

/** All migrations of this schema, oldest first. */
export const migrations = [
  PricesAndSwaps1795400000000,
  BridgeDeposits1795900000000,
  Idempotency1796000000000,
  Reloadly1796810000000,
  Mail1796820000000,
  Cards1796840000000,
  Ton1796850000000,
  Leases1798000000000,
  Solana1799100000000,
  Sui1799200000000,
  Tron1799300000000,
  TonBlocks1799400000000,
  Clock1799500000000,
  OrderedTimes1801210000000,
];
