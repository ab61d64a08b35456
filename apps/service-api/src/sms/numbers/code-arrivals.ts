import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { purchaseEvents } from '@tollbridge/contracts';
import { BusConnection, EventVerifier, subscribeToEvents } from '@tollbridge/rpc';
import { Activations } from './activations';

/** Wakes calls that wait for a code, when a webhook or an event in any process reports the code. */
@Injectable()
export class CodeArrivals implements OnApplicationBootstrap, OnApplicationShutdown {
  /** `WaitingCalls` limits its size. */
  private readonly waiting = new Map<string, Set<() => void>>();
  private subscription: { stop(): void } | undefined;

  constructor(
    private readonly activations: Activations,
    @Inject(BusConnection) private readonly bus: BusConnection,
    @Inject(EventVerifier) private readonly verifier: EventVerifier,
  ) {}

  onApplicationBootstrap(): void {
    this.subscription = subscribeToEvents(this.bus, purchaseEvents['purchase-changed'], {
      verifier: this.verifier,
      onEvent: ({ data }) => {
        const { provider_id: id, status } = data;
        if (id !== null && status === 'completed' && this.waiting.has(id)) this.wake(id);
      },
      // Waiting calls poll every few seconds, so a missed event only delays them.
      onGap: () => undefined,
    });
  }

  onApplicationShutdown(): void {
    this.subscription?.stop();
  }

  /** Makes the next poll read from the provider instead of the cached list. */
  wake(activationId: string): void {
    this.activations.forget();
    for (const wake of this.waiting.get(activationId) ?? []) wake();
  }

  /** Waits until the time is over, `wake` is called, or the signal is aborted. */
  pause(activationId: string, ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', end);
        const others = this.waiting.get(activationId);
        others?.delete(end);
        if (others?.size === 0) this.waiting.delete(activationId);
        resolve();
      };
      const timer = setTimeout(end, ms);
      signal.addEventListener('abort', end);
      const waiting = this.waiting.get(activationId) ?? new Set();
      this.waiting.set(activationId, waiting.add(end));
    });
  }
}
