import type { EventDeclaration, EventEnvelope } from '@tollbridge/rpc';
import { exampleOf } from '@tollbridge/rpc';

// The fields that may contain the aggregate's id in an event.
const idNames = ['order_id', 'transactionId', 'id', 'payment_id', 'purchase_id', 'payout_id'];

/** An example of an event on the bus. */
export function exampleEvent({ type, version, data }: EventDeclaration): EventEnvelope {
  const example = exampleOf(data);
  const { version: count, last_seq, updated_at, committed_at, timestamp } = example;
  const changedAt = updated_at ?? committed_at ?? new Date(Number(timestamp) * 1_000).toISOString();
  // There is only one nano-payment ledger, and it has no id.
  const changed = idNames.map((name) => example[name]).find((id) => id !== undefined) ?? 'ledger';
  return {
    id: '0198f3a4-1d20-7b6e-8f11-5a9c3e7d2b40',
    type,
    version,
    aggregateId: String(changed),
    aggregateVersion: Number(count ?? last_seq),
    occurredAt: String(changedAt),
    requestId: 'req_9f86d081884c7d659a2feaa0',
    traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00',
    data: example,
  };
}
