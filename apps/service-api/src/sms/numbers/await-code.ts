import { ProviderError } from '@tollbridge/providers';
import { setTimeout as pause } from 'node:timers/promises';
import type { Activations } from './activations';

export type Awaited = { status: 'received'; code: string } | { status: 'cancelled' | 'nothing' };

/**
 * Looks for the code of a number until it is there, the provider has taken the number back, the time is over, or the
 * signal is aborted. A provider that fails meanwhile is asked again: the number is rented.
 */
export async function awaitCode(
  activations: Pick<Activations, 'state'>,
  activationId: string,
  { untilMs, lookEveryMs, signal }: { untilMs: number; lookEveryMs: number; signal: AbortSignal },
): Promise<Awaited> {
  for (;;) {
    // By the clock too: a signal that is lost must not let a call wait for ever.
    const leftMs = untilMs - performance.now();
    if (signal.aborted || leftMs <= 0) return { status: 'nothing' };
    await pause(Math.min(lookEveryMs, leftMs), undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return { status: 'nothing' };
    const state = await activations.state(activationId, signal).catch((error: unknown) => {
      if (error instanceof ProviderError || signal.aborted) return undefined;
      throw error;
    });
    if (state?.status === 'received') return state;
    if (state?.status === 'cancelled') return { status: 'cancelled' };
  }
}
