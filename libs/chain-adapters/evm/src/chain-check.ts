import type { JsonRpcClient } from './json-rpc-client';
import { RpcError } from './rpc-error';
import { readSafeQuantity } from './wire-fields';

// A URL can be switched to another network at any time. The check detects this within five minutes.
const intervalMs = 300_000;

/** Checks the chain id of an endpoint: before the first use, every five minutes, and when it recovers. */
export class ChainCheck {
  private passedAtMs: number | null = null;
  private underWay: Promise<void> | null = null;

  constructor(
    private readonly client: JsonRpcClient,
    private readonly chainId: number,
    private readonly clock: { now(): number },
  ) {}

  forget(): void {
    this.passedAtMs = null;
  }

  /** Throws if the endpoint serves another chain. Concurrent calls share one check. */
  async pass(): Promise<void> {
    if (this.passedAtMs !== null && this.clock.now() - this.passedAtMs < intervalMs) return;
    this.underWay ??= this.ask().finally(() => (this.underWay = null));
    await this.underWay;
  }

  private async ask(): Promise<void> {
    const request = { method: 'eth_chainId', params: [] };
    const [result] = await this.client.send([request]).catch((error: unknown) => {
      throw error instanceof RpcError && error.kind === 'rejected' ? this.unproven(error) : error;
    });
    const served = readSafeQuantity(result, 'eth_chainId');
    if (served !== this.chainId) {
      const text = `serves chain ${served}, not ${this.chainId}`;
      throw new RpcError({
        kind: 'unavailable',
        reason: 'wrongChain',
        endpoint: this.client.url.label,
        text,
      });
    }
    this.passedAtMs = this.clock.now();
  }

  /**
   * An endpoint that does not return its chain id must not be used. Its error is not a reply to the caller's request.
   */
  private unproven({ code, reason }: RpcError): RpcError {
    const text = `does not return its chain id (error ${code ?? reason})`;
    return new RpcError({ kind: 'unavailable', reason: 'nodeError', endpoint: this.client.url.label, text });
  }
}
