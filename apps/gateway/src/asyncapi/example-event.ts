import type { EventDeclaration, EventEnvelope } from '@tollbridge/bus';
import { exampleOf } from '@tollbridge/bus';

/** What an event looks like on the bus. */
export function exampleEvent({ type, version, data }: EventDeclaration): EventEnvelope {
  const example = exampleOf(data);
  const { order_id, transactionId, id, updated_at, timestamp } = example;
  return {
    id: '0198f3a4-1d20-7b6e-8f11-5a9c3e7d2b40',
    type,
    version,
    aggregateId: String(order_id ?? transactionId ?? id),
    aggregateVersion: Number(example['version']),
    occurredAt: String(updated_at ?? new Date(Number(timestamp) * 1_000).toISOString()),
    requestId: 'req_9f86d081884c7d659a2feaa0',
    traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00',
    data: example,
  };
}
