import { Ledger1796900000000 } from './1796900000000-ledger';
import { Sessions1797000000000 } from './1797000000000-sessions';
import { Told1797100000000 } from './1797100000000-told';
import { Chains1797200000000 } from './1797200000000-chains';
import { ApprovalLists1797300000000 } from './1797300000000-approval-lists';

export const migrations = [
  Ledger1796900000000,
  Sessions1797000000000,
  Told1797100000000,
  Chains1797200000000,
  ApprovalLists1797300000000,
];
