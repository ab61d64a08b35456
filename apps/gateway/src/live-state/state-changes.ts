import { paymentEvents } from '@tollbridge/contracts';
import {
  eventPrefix,
  LastingSubscription,
  subscribeToEvents,
  type BusConnection,
  type EventVerifier,
} from '@tollbridge/rpc';
import type { Msg } from 'nats';
import { keyOf } from './feed';
import { liveOrder, livePayment } from './resource';

export interface ChangeListener {
  /** @param key of the feed that may watch the changed resource */
  onChange(key: string): void;
  /** Called when changes may have been missed and states can be read again. */
  onGap(): void;
}

// All events pass here, and this pattern costs a fraction of decoding an event. The state is read in any case.
const orderId = /"aggregateId"\s*:\s*"([0-9a-f-]{36})"/;

/**
 * Receives the changes of orders and payments with two bus subscriptions for the whole process, while it has streams.
 * The services publish to JetStream streams, but core NATS delivers the same messages without a consumer.
 */
export class StateChanges {
  private subscriptions: { stop(): void }[] = [];

  constructor(
    private readonly bus: BusConnection,
    private readonly verifier: EventVerifier,
    private readonly listener: ChangeListener,
  ) {}

  start(): void {
    if (this.subscriptions.length > 0) return;
    const { bus, listener, verifier } = this;
    const orders = new LastingSubscription(bus, `${eventPrefix('pay-orders')}.*.v1`, {
      onMessage: (message) => {
        const id = this.changedOrder(message);
        if (id !== undefined) listener.onChange(keyOf(liveOrder, id));
      },
    });
    const payments = subscribeToEvents(bus, paymentEvents['payment-changed'], {
      verifier,
      onEvent: ({ data }) => {
        listener.onChange(keyOf(livePayment, data.payment_id));
        listener.onChange(keyOf(livePayment, data.payment_request_id));
      },
      // Called at both ends of a bus outage, but at its beginning nothing can be read.
      onGap: () => bus.isConnected && listener.onGap(),
    });
    this.subscriptions = [{ stop: () => orders.unsubscribe() }, payments];
  }

  private changedOrder(message: Msg): string | undefined {
    try {
      this.verifier.verify('pay-orders', message);
      return orderId.exec(message.string())?.[1];
    } catch {
      // The verifier has already counted and logged the event.
      return undefined;
    }
  }

  stop(): void {
    for (const subscription of this.subscriptions.splice(0)) subscription.stop();
  }
}
