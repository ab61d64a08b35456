import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { purchaseEvents } from '@tollbridge/contracts';
import { BusConnection, hearEvents } from '@tollbridge/rpc';
import { Activations } from './activations';

/** Lets calls that wait for a code know that there may be one, whichever process was told. */
@Injectable()
export class CodeArrivals implements OnApplicationBootstrap, OnApplicationShutdown {
  /** As many as there are calls that wait: those are bounded. */
  private readonly waiting = new Map<string, Set<() => void>>();
  private hearing: { stop(): void } | undefined;

  constructor(
    private readonly activations: Activations,
    @Inject(BusConnection) private readonly bus: BusConnection,
  ) {}

  onApplicationBootstrap(): void {
    this.hearing = hearEvents(this.bus, purchaseEvents['purchase-changed'], {
      onEvent: ({ data }) => {
        const { provider_id: id, status } = data;
        if (id !== null && status === 'completed' && this.waiting.has(id)) this.wake(id);
      },
      // They look every few seconds anyway.
      onGap: () => undefined,
    });
  }

  onApplicationShutdown(): void {
    this.hearing?.stop();
  }

  /** Whoever looks next asks the provider, instead of believing what was read a moment ago. */
  wake(activationId: string): void {
    this.activations.forget();
    for (const wake of this.waiting.get(activationId) ?? []) wake();
  }

  /** Waits for so long, until the code may be there, or until the signal is aborted. */
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
