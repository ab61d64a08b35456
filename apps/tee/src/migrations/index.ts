import { Ledger1796900000000 } from './1796900000000-ledger';
import { Sessions1797000000000 } from './1797000000000-sessions';

export const migrations = [Ledger1796900000000, Sessions1797000000000];
