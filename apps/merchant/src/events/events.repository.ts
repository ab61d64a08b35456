import { subjectOf, type CallContext, type EventDeclaration, type EventEnvelope } from '@tollbridge/rpc';
import type { ClientBase } from 'pg';
import { v7 as uuid } from 'uuid';
import { leaveWork } from './pending-work';

/** An event to publish, with the data of its declaration. */
export interface NewEvent<D> {
  aggregateId: string;
  aggregateVersion: number;
  occurredAtMs: number;
  /** The trace context of the change, when the events have different ones. */
  traceparent?: string | undefined;
  data: D;
}

/**
 * Appends events of one type to the outbox in the caller's transaction. The relay publishes them in the given order.
 */
export async function appendEvents<D>(
  client: Pick<ClientBase, 'query'>,
  declaration: EventDeclaration<D>,
  events: readonly NewEvent<D>[],
  context: Pick<CallContext, 'requestId' | 'traceparent'>,
): Promise<void> {
  if (events.length === 0) return;
  leaveWork(client);
  const envelopes = events.map((event) => envelopeOf(declaration, event, context));
  // Uses SQL for a set-based write: revoking all sessions of a wallet appends up to a hundred events.
  await client.query({
    name: 'outbox-append',
    text: `INSERT INTO outbox (id, subject, aggregate_id, payload)
           SELECT id, subject, aggregate_id, payload
           FROM unnest($1::uuid[], $2::text[], $3::text[], $4::json[]) WITH ORDINALITY
             AS event (id, subject, aggregate_id, payload, position)
           ORDER BY position`,
    values: [
      envelopes.map(({ id }) => id),
      envelopes.map(({ aggregateId }) => subjectOf(declaration, aggregateId)),
      envelopes.map(({ aggregateId }) => aggregateId),
      envelopes.map((envelope) => JSON.stringify(envelope)),
    ],
  });
}

function envelopeOf<D>(
  { type, version }: EventDeclaration<D>,
  { aggregateId, aggregateVersion, occurredAtMs, data, traceparent: own }: NewEvent<D>,
  { requestId, traceparent }: Pick<CallContext, 'requestId' | 'traceparent'>,
): EventEnvelope<D> {
  return {
    id: uuid(),
    type,
    version,
    aggregateId,
    aggregateVersion,
    occurredAt: new Date(occurredAtMs).toISOString(),
    requestId,
    traceparent: own ?? traceparent,
    data,
  };
}
