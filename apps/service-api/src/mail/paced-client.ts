import { ProviderClient, ProviderError, type ProviderRequest } from '@tollbridge/http';
import { setTimeout as pause } from 'node:timers/promises';
import { Pace, PaceExceeded } from './pace';

// Others may ask from the same address: then there is room again soon, and nothing was done.
const maxTries = 3;
const longestRetryMs = 2_000;

/** Asks a provider that counts requests no more often than it allows, and once more where it says how soon. */
export class PacedClient {
  private readonly pace: Pace;

  constructor(
    private readonly provider: string,
    private readonly client: ProviderClient,
    requestsPerSecond: number,
  ) {
    this.pace = new Pace(requestsPerSecond);
  }

  /** @throws ProviderError as it comes from the client; `unavailable` where too many wait already */
  async request(request: ProviderRequest): Promise<unknown> {
    for (let tries = 1; ; tries++) {
      await this.turn(request.signal);
      try {
        return await this.client.request(request);
      } catch (error) {
        const retryMs = tries < maxTries ? soonOf(error) : undefined;
        if (retryMs === undefined || request.signal?.aborted) throw error;
        await pause(retryMs);
      }
    }
  }

  private async turn(signal: AbortSignal | undefined): Promise<void> {
    try {
      await this.pace.turn(signal);
    } catch (cause) {
      if (!(cause instanceof PaceExceeded) && !signal?.aborted) throw cause;
      throw new ProviderError(this.provider, { kind: 'unavailable', message: 'is asked too often', cause });
    }
  }
}

/** When it may be asked again, if it said so and that is soon. */
function soonOf(error: unknown): number | undefined {
  const isLimit = error instanceof ProviderError && error.kind === 'rateLimited';
  const ms = isLimit ? error.retryAfterMs : undefined;
  return ms !== undefined && ms <= longestRetryMs ? ms : undefined;
}
