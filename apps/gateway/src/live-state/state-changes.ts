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
  /** @param key of the feed that may follow what changed */
  onChange(key: string): void;
  /** Called after changes may have been missed, when states can be read again. */
  onGap(): void;
}

// Orders of all clients pass here: this costs a fraction of decoding an event, and the state is read in any case.
const orderId = /"aggregateId"\s*:\s*"([0-9a-f-]{36})"/;

/**
 * The changes of orders and payments, by two bus subscriptions for the whole process, while it has streams. Core NATS
 * receives what the services publish to their JetStream streams, without a consumer.
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
      // Also for both ends of an outage of the bus: at its beginning nothing can be read.
      onGap: () => bus.isConnected && listener.onGap(),
    });
    this.subscriptions = [{ stop: () => orders.unsubscribe() }, payments];
  }

  private changedOrder(message: Msg): string | undefined {
    try {
      this.verifier.verify('pay-orders', message);
      return orderId.exec(message.string())?.[1];
    } catch {
      // The verifier has counted and logged it.
      return undefined;
    }
  }

  stop(): void {
    for (const subscription of this.subscriptions.splice(0)) subscription.stop();
  }
}
