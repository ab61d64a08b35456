import { ProviderError } from '@tollbridge/http';

// A URL can be switched to another cluster at any time. The check detects this within five minutes.
const intervalMs = 300_000;

/** Verifies the cluster of a node: before its first use, and every five minutes. */
export class ChainCheck {
  private passedAtMs: number | null = null;
  private underWay: Promise<void> | null = null;

  /**
   * @param caip2 id of the chain: `solana:` and the first 32 characters of the hash of the genesis block
   * @param readGenesis requests the whole hash from the node
   */
  constructor(
    private readonly provider: string,
    private readonly caip2: string,
    private readonly readGenesis: () => Promise<string>,
    private readonly clock: { now(): number } = Date,
  ) {}

  /** @throws ProviderError for another cluster. Concurrent calls share one check. */
  async pass(): Promise<void> {
    if (this.passedAtMs !== null && this.clock.now() - this.passedAtMs < intervalMs) return;
    this.underWay ??= this.ask().finally(() => (this.underWay = null));
    await this.underWay;
  }

  private async ask(): Promise<void> {
    this.passedAtMs = null;
    const genesis = await this.readGenesis();
    if (`solana:${genesis.slice(0, 32)}` !== this.caip2)
      throw new ProviderError(this.provider, { kind: 'badReply', message: 'serves another cluster' });
    this.passedAtMs = this.clock.now();
  }
}
