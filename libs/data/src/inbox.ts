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

/** Keeps an event that could not be handled, with the reason, instead of delivering it for ever. */
export async function keepDeadLetter(
  pool: Pool,
  consumer: string,
  event: string,
  reason: unknown,
): Promise<void> {
  const text = reason instanceof Error ? reason.message : String(reason);
  await pool.query('INSERT INTO dead_letters (consumer, event, reason) VALUES ($1, $2, $3)', [
    consumer,
    storable(event),
    storable(text),
  ]);
}

/** PostgreSQL stores every character but NUL; an event refused for it would come back for ever. */
function storable(text: string): string {
  return text.replaceAll('\0', '\ufffd');
}
