import type { Msg, NatsError, Subscription } from 'nats';
import type { BusConnection } from './bus-connection';

export interface LastingSubscriptionOptions {
  queue?: string;
  /** Receives messages of apps in this process too, without the NATS server (see `BusConnection.receiveInProcess`). */
  inProcess?: { prefix: string; accepts(subject: string): boolean };
  onMessage(message: Msg): void;
  /** Called when the server rejects the subscription. */
  onRejected?(error: NatsError): void;
}

/**
 * A subscription that survives a rejection. nats.js removes a subscription that the server rejects. This
 * class subscribes again at the next reconnect and every few seconds until then, because permissions may be
 * restored. `BusConnection.onInterruption` reports it.
 */
export class LastingSubscription {
  private current: Subscription | undefined;
  private isEnded = false;
  private cancelRepeat: (() => void) | undefined;
  private readonly endInProcess: (() => void) | undefined;

  /** @throws NatsError when the connection is closed or drained */
  constructor(
    private readonly bus: BusConnection,
    private readonly subject: string,
    private readonly options: LastingSubscriptionOptions,
  ) {
    this.subscribe();
    const { inProcess, onMessage } = options;
    if (inProcess)
      this.endInProcess = bus.receiveInProcess(inProcess.prefix, { accepts: inProcess.accepts, onMessage });
  }

  unsubscribe(): void {
    this.end();
    this.current?.unsubscribe();
  }

  /** Stops the subscription. Resolves when messages that the server has already sent were received. */
  async drain(): Promise<void> {
    this.end();
    await this.current?.drain().catch(() => undefined);
  }

  private end(): void {
    this.isEnded = true;
    this.endInProcess?.();
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
