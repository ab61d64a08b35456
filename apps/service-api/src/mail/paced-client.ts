import { ProviderClient, ProviderError, type ProviderRequest } from '@tollbridge/http';
import { setTimeout as pause } from 'node:timers/promises';
import { Pace, PaceExceeded } from './pace';

// Other processes may share the rate limit. A rate-limited request had no effect, so an early retry is safe.
const maxTries = 3;
const longestRetryMs = 2_000;

/** A client that respects the provider's rate limit, and retries after a short retry-after. */
export class PacedClient {
  private readonly pace: Pace;

  constructor(
    private readonly provider: string,
    private readonly client: ProviderClient,
    requestsPerSecond: number,
  ) {
    this.pace = new Pace(requestsPerSecond);
  }

  /** @throws ProviderError of the client, or a ProviderError `unavailable` when the queue is too long */
  async request(request: ProviderRequest): Promise<unknown> {
    for (let tries = 1; ; tries++) {
      await this.turn(request.signal);
      try {
        return await this.client.request(request);
      } catch (error) {
        const retryMs = tries < maxTries ? shortRetryMs(error) : undefined;
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
      throw new ProviderError(this.provider, {
        kind: 'unavailable',
        message: 'has reached its local rate limit',
        cause,
      });
    }
  }
}

/** Returns the retry-after of the reply, when it is short. */
function shortRetryMs(error: unknown): number | undefined {
  const isLimit = error instanceof ProviderError && error.kind === 'rateLimited';
  const ms = isLimit ? error.retryAfterMs : undefined;
  return ms !== undefined && ms <= longestRetryMs ? ms : undefined;
}
