import type { TransactionClient } from '@tollbridge/database';
import { transactionEvents, type TransactionUpdate } from '@tollbridge/contracts';
import type { CallContext, EventEnvelope } from '@tollbridge/rpc';
import { v7 as uuid } from 'uuid';
import { updateOf } from '../set-view';
import type { TransactionSet } from '../transaction-set';

const updated = transactionEvents['transaction-updated'];

/** Appends an event for each set, with its state in this transaction. */
export async function appendEvents(
  client: TransactionClient,
  sets: readonly TransactionSet[],
  nowMs: number,
  context: CallContext,
): Promise<void> {
  const events = sets.map((set) => {
    const id = uuid();
    const payload: EventEnvelope<TransactionUpdate> = {
      id,
      type: updated.type,
      version: updated.version,
      aggregateId: set.id,
      aggregateVersion: set.version,
      occurredAt: new Date(nowMs).toISOString(),
      requestId: context.requestId,
      traceparent: context.traceparent,
      data: updateOf(set, nowMs),
    };
    return { id, subject: `${updated.subject}.${set.id}`, setId: set.id, payload: JSON.stringify(payload) };
  });
  await client.query({
    name: 'sets-events',
    text: `INSERT INTO outbox (id, subject, aggregate_id, payload)
      SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[], $4::json[])`,
    values: [
      events.map(({ id }) => id),
      events.map(({ subject }) => subject),
      events.map(({ setId }) => setId),
      events.map(({ payload }) => payload),
    ],
  });
}
