import type { Pool, PoolClient } from 'pg';

// SQL: claims skip locked rows, and operator commands use these functions with a pool and no entities.

/** An event that could not be handled. */
export interface DeadLetter {
  id: string;
  consumer: string;
  /** Text of the event as received. */
  event: string;
  reason: string;
  storedAt: Date;
}

/** Added to `outboxTables` in a schema with dead letters that can be retried. */
export const deadLetterRetries = 'ALTER TABLE dead_letters ADD COLUMN retry_at timestamptz;';
export const dropDeadLetterRetries = 'ALTER TABLE dead_letters DROP COLUMN retry_at;';

const columns = `id::text, consumer, event, reason, created_at AS "storedAt"`;

/** Stores an event that could not be handled, with the reason, so that it is not redelivered for ever. */
export async function storeDeadLetter(
  pool: Pool,
  consumer: string,
  event: string,
  reason: unknown,
): Promise<void> {
  await pool.query('INSERT INTO dead_letters (consumer, event, reason) VALUES ($1, $2, $3)', [
    consumer,
    storable(event),
    reasonOf(reason),
  ]);
}

/** Lists dead letters, newest first. */
export async function listDeadLetters(pool: Pool, limit: number): Promise<DeadLetter[]> {
  const { rows } = await pool.query<DeadLetter>(
    `SELECT ${columns} FROM dead_letters ORDER BY id DESC LIMIT $1`,
    [limit],
  );
  return rows;
}

export async function countDeadLetters(pool: Pool, consumer: string): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    'SELECT count(*)::int AS count FROM dead_letters WHERE consumer = $1',
    [consumer],
  );
  return rows[0]!.count;
}

/**
 * Marks all dead letters, or the given ones, for a retry by the running app. @returns the number of marked dead letters
 */
export async function retryDeadLetters(
  client: Pick<PoolClient, 'query'>,
  ids?: readonly string[],
): Promise<number> {
  const { rowCount } = await client.query(
    'UPDATE dead_letters SET retry_at = now() WHERE $1::bigint[] IS NULL OR id = ANY($1::bigint[])',
    [ids ?? null],
  );
  return rowCount ?? 0;
}

/**
 * Marks the dead letters of a consumer that an earlier release could not read. This release may be able to
 * read events of a newer publisher.
 * @param reasonPrefix prefix of the stored reason of unreadable events
 */
export async function retryUnreadable(pool: Pool, consumer: string, reasonPrefix: string): Promise<number> {
  const { rowCount } = await pool.query(
    'UPDATE dead_letters SET retry_at = now() WHERE consumer = $1 AND retry_at IS NULL AND starts_with(reason, $2)',
    [consumer, reasonPrefix],
  );
  return rowCount ?? 0;
}

/** Claims dead letters that are due for a retry, oldest first, for the time of a lease. */
export async function takeDeadLetters(
  pool: Pool,
  consumer: string,
  { limit, leaseMs }: { limit: number; leaseMs: number },
): Promise<DeadLetter[]> {
  const { rows } = await pool.query<DeadLetter>(
    `WITH taken AS (
       UPDATE dead_letters SET retry_at = now() + $3 * interval '1 ms' WHERE id = ANY(ARRAY(
         SELECT id FROM dead_letters WHERE consumer = $1 AND retry_at <= now()
         ORDER BY id LIMIT $2 FOR UPDATE SKIP LOCKED)) RETURNING *)
     SELECT ${columns} FROM taken ORDER BY taken.id`,
    [consumer, limit, leaseMs],
  );
  return rows;
}

/** Deletes a dead letter that was handled. */
export async function removeDeadLetter(pool: Pool, id: string): Promise<void> {
  await pool.query('DELETE FROM dead_letters WHERE id = $1', [id]);
}

/** Stores the reason of a failed retry. The dead letter waits for the next request of an operator. */
export async function putBackDeadLetter(pool: Pool, id: string, reason: unknown): Promise<void> {
  await pool.query('UPDATE dead_letters SET retry_at = NULL, reason = $2 WHERE id = $1', [
    id,
    reasonOf(reason),
  ]);
}

const reasonOf = (reason: unknown): string =>
  storable(reason instanceof Error ? reason.message : String(reason));

/** PostgreSQL cannot store the NUL character. An event rejected for that reason would be redelivered for ever. */
function storable(text: string): string {
  return text.replaceAll('\0', '\ufffd');
}
