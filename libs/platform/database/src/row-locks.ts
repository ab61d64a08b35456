import { createHash } from 'node:crypto';
import type { TransactionClient } from './database';

/**
 * Rows that transactions lock by a name. Rows instead of advisory locks, which every role of a database can take: only
 * the role of this schema reaches these. Names share a bounded number of rows of their kind, so nothing has to be
 * deleted.
 */
export const lockRowsTable = `
  CREATE TABLE lock_rows (
    kind text NOT NULL,
    slot smallint NOT NULL,
    PRIMARY KEY (kind, slot)
  );
`;

export const dropLockRowsTable = 'DROP TABLE lock_rows;';

const slots = 1_024;

// A row that exists is locked, and not written, since the condition never holds.
const lockStatement = {
  name: 'lock-rows',
  text: `INSERT INTO lock_rows (kind, slot) SELECT $1, slot FROM unnest($2::smallint[]) AS slot ORDER BY slot
         ON CONFLICT (kind, slot) DO UPDATE SET slot = excluded.slot WHERE false`,
};

const slotOf = (name: string): number => createHash('sha256').update(name).digest().readUInt16BE() % slots;

/**
 * Waits until no other transaction has locked one of these names, and locks them until the commit. The rows are locked
 * in one order: calls with several names do not deadlock. Two names may share a row.
 * @param kind what is locked, such as `settings`; names of different kinds share no row
 */
export async function lockRows(
  client: TransactionClient,
  kind: string,
  names: readonly string[],
): Promise<void> {
  await client.query({ ...lockStatement, values: [kind, [...new Set(names.map(slotOf))]] });
}
