import type { Msg } from 'nats';
import type { BusConnection } from '../bus/bus-connection';
import { eventDecoder, type EventDecoder } from './event-decoding';
import type { EventVerifier } from './event-signatures';
import { subjectPattern, type EventDeclaration, type EventEnvelope } from './events';
import { LastingSubscription } from '../bus/lasting-subscription';

export interface EventHints<D> {
  /** Verifies that the event's app has signed it. */
  verifier: EventVerifier;
  onEvent(event: EventEnvelope<D>): void;
  /** Called when events were or may have been missed, and for an invalid or unsigned event. */
  onGap(): void;
}

/**
 * Subscribes to another app's events in every process, without a durable consumer. Events that are published while this
 * process is disconnected are missed. Use it only for caches, which are cleared then; work needs an `EventConsumer`.
 */
export function subscribeToEvents<D>(
  bus: BusConnection,
  event: EventDeclaration<D>,
  { verifier, onEvent, onGap }: EventHints<D>,
): { stop(): void } {
  const decode = eventDecoder([event]);
  const subscription = new LastingSubscription(bus, subjectPattern(event), {
    onMessage: (message) => {
      const read = readVerified(message, event.app, { verifier, decode });
      if (read) onEvent(read);
      else onGap();
    },
    onRejected: onGap,
  });
  const forget = bus.onInterruption(onGap);
  return {
    stop() {
      forget();
      subscription.unsubscribe();
    },
  };
}

function readVerified<D>(
  message: Msg,
  source: string,
  { verifier, decode }: { verifier: EventVerifier; decode: EventDecoder<D> },
): EventEnvelope<D> | undefined {
  try {
    verifier.verify(source, message);
    return decode(message.string(), message.subject);
  } catch {
    return undefined;
  }
}
