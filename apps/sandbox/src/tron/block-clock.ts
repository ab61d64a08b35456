import type { TronChain } from './tron-chain';

// A transaction is mined immediately. Confirmations wait for later blocks, which come every second for a while. An idle
// chain gets a block now and then, so that its head stays young and its history small.
const tickMs = 1_000;
const busyMs = 120_000;
const idleBlockMs = 5_000;

/** Mines blocks without transactions by the time. */
export class BlockClock {
  private timer: NodeJS.Timeout | undefined;
  private busyUntilMs = 0;
  private lastBlockMs = 0;

  constructor(
    private readonly chain: TronChain,
    private readonly onError: (error: unknown) => void,
  ) {}

  start(): void {
    this.timer ??= setInterval(() => void this.tick().catch(this.onError), tickMs);
  }

  stop(): void {
    clearInterval(this.timer);
    this.timer = undefined;
  }

  /** A transaction was sent: its sender waits for confirmations. */
  wake(): void {
    this.busyUntilMs = Date.now() + busyMs;
  }

  private async tick(): Promise<void> {
    const nowMs = Date.now();
    if (nowMs >= this.busyUntilMs && nowMs - this.lastBlockMs < idleBlockMs) return;
    this.lastBlockMs = nowMs;
    await this.chain.mine();
  }
}
