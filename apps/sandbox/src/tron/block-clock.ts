import type { TronChain } from './tron-chain';

// A transaction is mined immediately. Its confirmations need later blocks, which are mined every second for a while. An
// idle chain gets a block every five seconds, so that its head stays recent and its history small.
const tickMs = 1_000;
const busyMs = 120_000;
const idleBlockMs = 5_000;

/** Mines empty blocks by the clock. */
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

  /** Called for a transaction, because its sender waits for confirmations. */
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
