import { isTracing, SpanKind, startSpan, type OpenSpan } from '@tollbridge/observability';
import type { EventEnvelope, OutgoingEvent } from '@tollbridge/rpc';

const attributesOf = (operation: 'send' | 'process', { type, id }: Pick<EventEnvelope, 'type' | 'id'>) => ({
  'messaging.system': 'nats',
  'messaging.operation.type': operation,
  'messaging.destination.name': type,
  'messaging.message.id': id,
});

/** Opens a span for the publication of an event, below the change that wrote the event; undefined without tracing. */
export function publicationSpan({ payload }: OutgoingEvent): OpenSpan | undefined {
  if (!isTracing()) return undefined;
  const event = JSON.parse(payload) as EventEnvelope;
  return startSpan(`send ${event.type}`, event.traceparent, SpanKind.PRODUCER, attributesOf('send', event));
}

/**
 * Handles a batch of events, each in a span below the span of its publication. The handler receives the new
 * span as the trace of the event. Database statements belong to the span of the first event.
 */
export async function handleTraced<D>(
  consumer: string,
  events: readonly EventEnvelope<D>[],
  handle: (events: readonly EventEnvelope<D>[]) => Promise<void>,
): Promise<void> {
  if (!isTracing()) return handle(events);
  const spans = events.map((event) =>
    startSpan(`process ${event.type}`, event.traceparent, SpanKind.CONSUMER, {
      ...attributesOf('process', event),
      'messaging.consumer.group.name': consumer,
    }),
  );
  const traced = events.map((event, at) => ({
    ...event,
    traceparent: spans[at]?.traceparent ?? event.traceparent,
  }));
  const end = (error?: Error): void => spans.forEach((span) => span?.end({}, error?.name));
  const run = spans[0]?.run ?? ((work: () => Promise<void>) => work());
  await run(() => handle(traced)).then(
    () => end(),
    (error: Error) => {
      end(error);
      throw error;
    },
  );
}
