import type { Msg, NatsError, Subscription } from 'nats';
import type { BusConnection } from './bus-connection';

export interface LastingSubscriptionOptions {
  queue?: string;
  onMessage(message: Msg): void;
  /** The server does not permit the subscription now. */
  onRejected?(error: NatsError): void;
}

/**
 * A subscription that outlives its rejection. nats.js forgets one that the server rejects; this one is repeated at the
 * next reconnect and every few seconds until then, when the permissions may be back. `BusConnection.onInterruption`
 * reports it.
 */
export class LastingSubscription {
  private current: Subscription | undefined;
  private isEnded = false;
  private cancelRepeat: (() => void) | undefined;

  /** @throws NatsError when the connection is closed or drained */
  constructor(
    private readonly bus: BusConnection,
    private readonly subject: string,
    private readonly options: LastingSubscriptionOptions,
  ) {
    this.subscribe();
  }

  unsubscribe(): void {
    this.end();
    this.current?.unsubscribe();
  }

  /** Resolves when the messages that the server has already sent were received. */
  async drain(): Promise<void> {
    this.end();
    await this.current?.drain().catch(() => undefined);
  }

  private end(): void {
    this.isEnded = true;
    this.cancelRepeat?.();
  }

  private subscribe(): void {
    const { queue, onMessage, onRejected } = this.options;
    this.current = this.bus.nats.subscribe(this.subject, {
      ...(queue !== undefined && { queue }),
      callback: (error, message) => {
        if (!error) return onMessage(message);
        this.current = undefined;
        if (this.isEnded) return;
        this.cancelRepeat = this.bus.onResubscribe(() => this.subscribe());
        onRejected?.(error);
      },
    });
  }
}
