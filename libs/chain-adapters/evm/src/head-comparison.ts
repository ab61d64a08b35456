import { PinnedReads } from './pinned-reads';
import type { RpcEndpoint } from './rpc-endpoint';
import { RpcError } from './rpc-error';

// Blocks are seconds apart. More frequent polling would find nothing new and cost one request per endpoint.
const intervalMs = 3_000;

/**
 * Detects lagging nodes. A node that stopped following its chain still answers, so only the other endpoints show that
 * it lags.
 */
export class HeadComparison {
  private nextAtMs = 0;

  constructor(
    private readonly endpoints: readonly RpcEndpoint[],
    private readonly maxLagBlocks: number,
    private readonly clock: { now(): number },
  ) {}

  /** Marks every endpoint as unhealthy that is too far behind the best head of the others. */
  async runWhenDue(): Promise<void> {
    const nowMs = this.clock.now();
    if (this.endpoints.length === 1 || nowMs < this.nextAtMs) return;
    this.nextAtMs = nowMs + intervalMs;
    const looks = this.endpoints.filter((endpoint) => !endpoint.isUnhealthy).map(lookAt);
    const heads = (await Promise.all(looks)).filter((head) => head !== null);
    // The head of a single endpoint cannot be compared.
    if (heads.length === 1) return;
    const best = Math.max(...heads.map((head) => head.height));
    for (const { endpoint, height } of heads) {
      const lag = best - height;
      if (lag <= this.maxLagBlocks) endpoint.caughtUp();
      else endpoint.markUnhealthy('lagging', { message: `lags by ${lag} blocks` });
    }
  }
}

/** Returns null if the endpoint does not reply. The call has then marked it as unhealthy. */
async function lookAt(endpoint: RpcEndpoint): Promise<{ endpoint: RpcEndpoint; height: number } | null> {
  try {
    const { height } = await new PinnedReads(endpoint).head();
    return { endpoint, height };
  } catch (error) {
    if (error instanceof RpcError) return null;
    throw error;
  }
}
