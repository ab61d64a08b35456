import { createHash } from 'node:crypto';
import type { TransactionClient } from './database';

/**
 * Table of rows that transactions lock by name. Every role of a database can take any advisory lock, but only the role
 * of this schema can lock these rows. Names share a bounded number of rows of their kind, so rows are never deleted.
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

// An existing row is locked but not written, because the condition is never true.
const lockStatement = {
  name: 'lock-rows',
  text: `INSERT INTO lock_rows (kind, slot) SELECT $1, slot FROM unnest($2::smallint[]) AS slot ORDER BY slot
         ON CONFLICT (kind, slot) DO UPDATE SET slot = excluded.slot WHERE false`,
};

const slotOf = (name: string): number => createHash('sha256').update(name).digest().readUInt16BE() % slots;

/**
 * Waits until no other transaction has locked one of these names, and locks them until the end of the transaction. Rows
 * are locked in a fixed order, so that calls with several names do not deadlock. Two names may share a row.
 * @param kind of the locked objects, such as `settings`; names of different kinds share no row
 */
export async function lockRows(
  client: TransactionClient,
  kind: string,
  names: readonly string[],
): Promise<void> {
  await client.query({ ...lockStatement, values: [kind, [...new Set(names.map(slotOf))]] });
}
