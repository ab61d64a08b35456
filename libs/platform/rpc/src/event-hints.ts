import type { Msg } from 'nats';
import type { BusConnection } from './bus-connection';
import { eventDecoder, type EventDecoder } from './event-decoding';
import {
  announcedSubject,
  announcementOf,
  subjectPattern,
  type EventDeclaration,
  type EventEnvelope,
} from './events';

export interface EventHints<D> {
  onEvent(event: EventEnvelope<D>): void;
  /** Called when events were or may have been missed, and for an invalid event. */
  onGap(): void;
}

/**
 * Subscribes to another app's events in every process, without a durable consumer. Events that are published while this
 * process is disconnected are missed. For caches, which are then cleared; work needs an `EventConsumer`.
 */
export function subscribeToEvents<D>(
  bus: BusConnection,
  event: EventDeclaration<D>,
  { onEvent, onGap }: EventHints<D>,
): { stop(): void } {
  const pattern = subjectPattern(event);
  const decode = eventDecoder([event]);
  const subscription = bus.nats.subscribe(event.isAnnounced ? announcementOf(pattern) : pattern, {
    callback: (error, message) => {
      const event = error ? undefined : read(decode, message);
      if (event) onEvent(event);
      else onGap();
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

function read<D>(decode: EventDecoder<D>, message: Msg): EventEnvelope<D> | undefined {
  try {
    return decode(message.string(), announcedSubject(message.subject));
  } catch {
    return undefined;
  }
}
