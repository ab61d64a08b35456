import type { Pool, PoolClient } from 'pg';
import { transaction } from '../database';

/**
 * Handles events of another service once: that they were handled is stored in the transaction of their effect.
 * SQL: a set-based write on that transaction's connection. Deadlocks and serialization failures repeat the transaction,
 * so the effect must write to the database only.
 * @param effect gets the events that were not handled before, in the given order and each once; not called without any
 * @returns how many were not handled before
 */
export async function handleBatchOnce<E extends { id: string }>(
  pool: Pool,
  consumer: string,
  events: readonly E[],
  effect: (fresh: readonly E[], client: PoolClient) => Promise<void>,
): Promise<number> {
  if (events.length === 0) return 0;
  // An event that was delivered twice may be twice in one batch.
  const byId = new Map(events.map((event) => [event.id.toLowerCase(), event]));
  return transaction(pool, async (client) => {
    // Sorted: two processes that got the same events must not wait for each other in a circle.
    const { rows } = await client.query<{ event_id: string }>({
      name: 'inbox-insert',
      text: `INSERT INTO inbox (consumer, event_id) SELECT $1, id FROM unnest($2::uuid[]) id ORDER BY id
             ON CONFLICT DO NOTHING RETURNING event_id`,
      values: [consumer, [...byId.keys()]],
    });
    if (rows.length === 0) return 0;
    const inserted = new Set(rows.map(({ event_id }) => event_id));
    const fresh = [...byId].flatMap(([id, event]) => (inserted.has(id) ? [event] : []));
    // PostgreSQL rewrites an id in another spelling, so a lookup would not find it, and the event would be lost.
    if (fresh.length !== rows.length) throw new Error('an event id is not a UUID in its canonical form');
    await effect(fresh, client);
    return fresh.length;
  });
}
