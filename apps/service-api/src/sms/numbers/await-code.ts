import { ProviderError } from '@tollbridge/http';
import type { Activations } from './activations';
import type { CodeArrivals } from './code-arrivals';

export type Awaited = { status: 'received'; code: string } | { status: 'cancelled' | 'nothing' };

export interface AwaitOptions {
  untilMs: number;
  lookEveryMs: number;
  signal: AbortSignal;
  arrivals: Pick<CodeArrivals, 'pause'>;
}

/**
 * Looks for the code of a number until it is there, the provider has taken the number back, the time is over, or the
 * signal is aborted; sooner than it would when it is said that the code may be there. A provider that fails meanwhile is asked again: the number is rented.
 */
export async function awaitCode(
  activations: Pick<Activations, 'state'>,
  activationId: string,
  { untilMs, lookEveryMs, signal, arrivals }: AwaitOptions,
): Promise<Awaited> {
  for (;;) {
    // By the clock too: a signal that is lost must not let a call wait for ever.
    const leftMs = untilMs - performance.now();
    if (signal.aborted || leftMs <= 0) return { status: 'nothing' };
    await arrivals.pause(activationId, Math.min(lookEveryMs, leftMs), signal);
    if (signal.aborted) return { status: 'nothing' };
    const state = await activations.state(activationId, signal).catch((error: unknown) => {
      if (error instanceof ProviderError || signal.aborted) return undefined;
      throw error;
    });
    if (state?.status === 'received') return state;
    if (state?.status === 'cancelled') return { status: 'cancelled' };
  }
}
