import type { Pool, PoolClient } from 'pg';
import { transaction } from './database';

/**
 * Handles an event of another service once: the note that it was handled is written in the transaction of its effect.
 * Answers false when it had been handled before.
 */
export async function handleOnce(
  pool: Pool,
  consumer: string,
  eventId: string,
  effect: (client: PoolClient) => Promise<void>,
): Promise<boolean> {
  return transaction(pool, async (client) => {
    const noted = await client.query(
      'INSERT INTO inbox (consumer, event_id) VALUES ($1, $2) ON CONFLICT DO NOTHING',
      [consumer, eventId],
    );
    if (noted.rowCount === 0) return false;
    await effect(client);
    return true;
  });
}
