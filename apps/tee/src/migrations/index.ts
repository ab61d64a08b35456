import { Ledger1796900000000 } from './1796900000000-ledger';
import { Sessions1797000000000 } from './1797000000000-sessions';
import { Told1797100000000 } from './1797100000000-told';
import { Chains1797200000000 } from './1797200000000-chains';
import { ApprovalLists1797300000000 } from './1797300000000-approval-lists';
import { Returned1797400000000 } from './1797400000000-returned';
import { Lease1797500000000 } from './1797500000000-lease';
import { Retention1797700000000 } from './1797700000000-retention';
import { Leases1798000000000 } from './1798000000000-leases';
import { WithdrawalsOfAccount1798400000000 } from './1798400000000-withdrawal-list';
import { Channels1799500000000 } from './1799500000000-channels';
import { OrderedTimes1801210000000 } from './1801210000000-ordered-times';

export const migrations = [
  Ledger1796900000000,
  Sessions1797000000000,
  Told1797100000000,
  Chains1797200000000,
  ApprovalLists1797300000000,
  Returned1797400000000,
  Lease1797500000000,
  Retention1797700000000,
  Leases1798000000000,
  WithdrawalsOfAccount1798400000000,
  Channels1799500000000,
  OrderedTimes1801210000000,
];
