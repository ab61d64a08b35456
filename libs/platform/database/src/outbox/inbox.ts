import type { Pool, PoolClient } from 'pg';
import { transaction } from '../database';

/**
 * Handles events of another service exactly once, by recording their ids in the transaction of their effect.
 * SQL: a set-based write on that transaction's connection. Deadlocks and serialization failures repeat the
 * transaction, so the effect must write only to the database.
 * @param effect called with the new events in the given order, each once; not called when no event is new
 * @returns the number of new events
 */
export async function handleBatchOnce<E extends { id: string }>(
  pool: Pool,
  consumer: string,
  events: readonly E[],
  effect: (fresh: readonly E[], client: PoolClient) => Promise<void>,
): Promise<number> {
  if (events.length === 0) return 0;
  // A redelivered event may be in one batch twice.
  const byId = new Map(events.map((event) => [event.id.toLowerCase(), event]));
  return transaction(pool, async (client) => {
    // Sorted by id, so that two processes with the same events do not deadlock.
    const { rows } = await client.query<{ event_id: string }>({
      name: 'inbox-insert',
      text: `INSERT INTO inbox (consumer, event_id) SELECT $1, id FROM unnest($2::uuid[]) id ORDER BY id
             ON CONFLICT DO NOTHING RETURNING event_id`,
      values: [consumer, [...byId.keys()]],
    });
    if (rows.length === 0) return 0;
    const inserted = new Set(rows.map(({ event_id }) => event_id));
    const fresh = [...byId].flatMap(([id, event]) => (inserted.has(id) ? [event] : []));
    // PostgreSQL normalises an id that is not canonical. The lookup would then miss it, and the event would be lost.
    if (fresh.length !== rows.length) throw new Error('an event id is not a UUID in its canonical form');
    await effect(fresh, client);
    return fresh.length;
  });
}
