import type { Msg, NatsError, Subscription } from 'nats';
import type { BusConnection } from './bus-connection';

export interface LastingSubscriptionOptions {
  queue?: string;
  onMessage(message: Msg): void;
  /** The server does not permit the subscription now. */
  onRejected?(error: NatsError): void;
}

/**
 * A subscription that outlives its rejection. nats.js forgets one that the server rejects; this one is repeated at the next
 * reconnect, when the permissions may be back.
 */
export class LastingSubscription {
  private current: Subscription | undefined;
  private readonly stopListening: () => void;

  constructor(
    private readonly bus: BusConnection,
    private readonly subject: string,
    private readonly options: LastingSubscriptionOptions,
  ) {
    this.subscribe();
    this.stopListening = bus.onInterruption(() => {
      if (bus.isConnected && !this.current) this.subscribe();
    });
  }

  unsubscribe(): void {
    this.stopListening();
    this.current?.unsubscribe();
  }

  /** Resolves when the messages that the server has already sent were received. */
  async drain(): Promise<void> {
    this.stopListening();
    await this.current?.drain().catch(() => undefined);
  }

  private subscribe(): void {
    const { queue, onMessage, onRejected } = this.options;
    this.current = this.bus.nats.subscribe(this.subject, {
      ...(queue !== undefined && { queue }),
      callback: (error, message) => {
        if (!error) return onMessage(message);
        this.current = undefined;
        onRejected?.(error);
      },
    });
  }
}
