import { Ledger1796900000000 } from './1796900000000-ledger';

export const migrations = [Ledger1796900000000];
