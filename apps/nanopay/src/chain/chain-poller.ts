import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import { longestIdleMs, PollingLoop, type PollResult } from '@tollbridge/bootstrap';
import type { TonAccountReader } from '@tollbridge/ton';
import type { Chain } from './asset-wallet';

/** The kinds of `PollResult`. `idle` means that nothing is in flight and nothing arrived. */
export type Polled = PollResult['kind'];

// The interval grows after this many consecutive idle polls.
const idlePolls = 30;
const idleFactor = 5;

/**
 * Polls the chain while the app runs, if a chain is configured. After a while without work it polls five times less
 * often, but at least every `longestIdleMs`. Work or a call of `wake` ends this.
 */
export abstract class ChainPoller implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly polling: PollingLoop | undefined;
  private idle = 0;

  constructor(
    { reader }: Chain,
    private readonly pollMs: number,
    onError: (error: unknown) => void,
  ) {
    this.polling =
      reader && new PollingLoop(async () => this.paced(await this.poll(reader)), pollMs, onError);
  }

  protected abstract poll(reader: TonAccountReader): Promise<Polled>;

  onApplicationBootstrap(): void {
    this.polling?.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.polling?.stop();
  }

  /** Polls immediately, and at the usual interval for a while. */
  wake(): void {
    this.idle = 0;
    this.polling?.wake();
  }

  private paced(polled: Polled): PollResult {
    this.idle = polled === 'idle' ? this.idle + 1 : 0;
    if (polled !== 'idle') return { kind: polled };
    if (this.idle <= idlePolls) return { kind: 'done' };
    return { kind: 'idle', idleMs: Math.min(idleFactor * this.pollMs, longestIdleMs) };
  }
}
