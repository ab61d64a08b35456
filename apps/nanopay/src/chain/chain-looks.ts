import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import { longestIdleMs, PollingLoop, type PollResult } from '@tollbridge/bootstrap';
import type { TonAccountReader } from '@tollbridge/ton';
import type { Chain } from './asset-wallet';

/** `idle`: nothing is under way and nothing has come. */
export type Looked = PollResult | 'idle';

// So many idle polls in a row, and the chain is polled less often.
const idleLooks = 30;
const idleFactor = 5;

/**
 * Polls the chain while the app runs; never where none is configured. After a while without work it is polled every
 * `longestIdleMs` or every fifth of its usual polls, until something has come or `wake` is called.
 */
export abstract class ChainLooks implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly looking: PollingLoop | undefined;
  private idle = 0;

  constructor(
    { reader }: Chain,
    private readonly lookMs: number,
    onError: (error: unknown) => void,
  ) {
    this.looking =
      reader && new PollingLoop(async () => this.paced(await this.look(reader)), lookMs, onError);
  }

  protected abstract look(reader: TonAccountReader): Promise<Looked>;

  onApplicationBootstrap(): void {
    this.looking?.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.looking?.stop();
  }

  /** Says that there is something to look for: the chain is polled at once, and at the usual pace for a while. */
  wake(): void {
    this.idle = 0;
    this.looking?.wake();
  }

  private paced(looked: Looked): PollResult {
    this.idle = looked === 'idle' ? this.idle + 1 : 0;
    if (looked !== 'idle') return looked;
    return this.idle > idleLooks ? { idleMs: Math.min(idleFactor * this.lookMs, longestIdleMs) } : 'done';
  }
}
