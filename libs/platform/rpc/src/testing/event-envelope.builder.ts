import { randomUUID } from 'node:crypto';
import type { EventEnvelope } from '../events/events';

/** Builds an event of a new aggregate, because events of one aggregate wait for each other. */
export const anEventEnvelope = <D>(
  changes: Partial<EventEnvelope<D>> & Pick<EventEnvelope<D>, 'data'>,
): EventEnvelope<D> => ({
  id: randomUUID(),
  type: 'good-sold',
  version: 1,
  aggregateId: randomUUID(),
  aggregateVersion: 1,
  occurredAt: new Date().toISOString(),
  requestId: 'request-1',
  traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  ...changes,
});
