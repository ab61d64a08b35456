import { ProviderError } from '@tollbridge/http';
import type { Activations } from './activations';
import type { CodeArrivals } from './code-arrivals';

export type Awaited = { status: 'received'; code: string } | { status: 'cancelled' | 'nothing' };

export interface AwaitOptions {
  untilMs: number;
  pollEveryMs: number;
  signal: AbortSignal;
  arrivals: Pick<CodeArrivals, 'pause'>;
}

/**
 * Polls until the code arrives, the number is cancelled, the time is over, or the signal is aborted.
 * A webhook shortens the delay. A failed poll is retried.
 */
export async function awaitCode(
  activations: Pick<Activations, 'state'>,
  activationId: string,
  { untilMs, pollEveryMs, signal, arrivals }: AwaitOptions,
): Promise<Awaited> {
  for (;;) {
    // The clock also ends the wait, in case the signal is never aborted.
    const leftMs = untilMs - performance.now();
    if (signal.aborted || leftMs <= 0) return { status: 'nothing' };
    await arrivals.pause(activationId, Math.min(pollEveryMs, leftMs), signal);
    if (signal.aborted) return { status: 'nothing' };
    const state = await activations.state(activationId, signal).catch((error: unknown) => {
      if (error instanceof ProviderError || signal.aborted) return undefined;
      throw error;
    });
    if (state?.status === 'received') return state;
    if (state?.status === 'cancelled') return { status: 'cancelled' };
  }
}
