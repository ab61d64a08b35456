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
  /** Something was, or may have been, missed; also an event that is not valid. */
  onGap(): void;
}

/**
 * Subscribes to another app's events while they are published: at once, in every process, without a consumer. What is published
 * while this process is cut off is missed. For caches, which forget then what they hold; work needs an `EventConsumer`.
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
