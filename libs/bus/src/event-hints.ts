import type { BusConnection } from './bus-connection';
import { readEnvelope, subjectPattern, type EventDeclaration, type EventEnvelope } from './events';

export interface EventHints<D> {
  onEvent(event: EventEnvelope<D>): void;
  /** Something was, or may have been, missed. */
  onGap(): void;
}

/**
 * Hears another app's events while they are published: at once, by every process, and without a record. What is told
 * while this process is cut off is missed. For caches, which forget then what they hold; work needs an `EventConsumer`.
 */
export function hearEvents<D>(
  bus: BusConnection,
  event: Pick<EventDeclaration<D>, 'subject' | 'isPerAggregate' | 'data'>,
  { onEvent, onGap }: EventHints<D>,
): { stop(): void } {
  const subscription = bus.nats.subscribe(subjectPattern(event), {
    callback: (error, message) => {
      const heard = error ?? readEnvelope(message.string(), message.subject);
      if (heard instanceof Error) onGap();
      else onEvent(heard as EventEnvelope<D>);
    },
  });
  const forget = bus.onInterruption(onGap);
  return {
    stop() {
      forget();
      if (!bus.nats.isClosed()) subscription.unsubscribe();
    },
  };
}
