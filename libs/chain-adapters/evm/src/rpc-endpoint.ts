import { UnreadableReply } from '@tollbridge/http';
import { ChainCheck } from './chain-check';
import type { HttpLimits } from './http-post';
import { JsonRpcClient } from './json-rpc-client';
import type { RpcRequest } from './json-rpc';
import { RpcError, type RpcErrorReason } from './rpc-error';
import { parseRpcUrl } from './rpc-url';
import { Cooldown, RangeLimit, type RangeState, type UnhealthyReason } from '@tollbridge/chain-nodes';

export interface UnhealthyEvent {
  chainId: number;
  /** Name without secrets. */
  endpoint: string;
  reason: UnhealthyReason;
  untilMs: number;
  failuresInARow: number;
  detail: string;
}

export interface EndpointHealth {
  /** Name without secrets. */
  endpoint: string;
  state: 'healthy' | 'unhealthy';
  reason: UnhealthyReason | null;
  untilMs: number | null;
  failuresInARow: number;
  /** Height of the newest reported block; null before the first reply. */
  headHeight: number | null;
  ranges: RangeState;
}

export interface EndpointOptions extends HttpLimits {
  chainId: number;
  now(): number;
  random(): number;
  maxCooldownMs: number;
  onUnhealthy(event: UnhealthyEvent): void;
}

/** One RPC URL of a chain. Verifies its chain id and replies, and pauses the endpoint after a failure. */
export class RpcEndpoint {
  headHeight: number | null = null;
  /** The range of logs that the endpoint accepts. */
  readonly ranges: RangeLimit;
  private readonly client: JsonRpcClient;
  private readonly cooldown: Cooldown;
  private readonly chainCheck: ChainCheck;
  // When the endpoint becomes unhealthy, concurrent calls fail too. Only the first failure counts.
  private timesUnhealthy = 0;

  constructor(
    url: string,
    position: number,
    private readonly options: EndpointOptions,
  ) {
    this.client = new JsonRpcClient(parseRpcUrl(url, position), options);
    this.chainCheck = new ChainCheck(this.client, options.chainId, options);
    this.cooldown = new Cooldown(options.maxCooldownMs, options.random);
    this.ranges = new RangeLimit(options);
  }

  get label(): string {
    return this.client.url.label;
  }

  get isUnhealthy(): boolean {
    return this.cooldown.isActive(this.options.now());
  }

  get unhealthyUntilMs(): number {
    return this.cooldown.untilMs;
  }

  get mayBeTriedEarly(): boolean {
    return this.cooldown.mayBeTriedEarly;
  }

  /**
   * Sends requests. `read` parses the results and throws `UnreadableReply` for invalid ones, which marks the endpoint
   * as unhealthy.
   */
  async request<T>(
    requests: readonly RpcRequest[],
    read: (results: unknown[]) => T,
    notItsFault?: RpcErrorReason,
  ): Promise<T> {
    const timesUnhealthy = this.timesUnhealthy;
    try {
      await this.chainCheck.pass();
      const value = read(await this.client.send(requests));
      this.countAnswer(timesUnhealthy);
      return value;
    } catch (thrown) {
      const error = this.asRpcError(thrown);
      const reason = error.reason === notItsFault ? null : unhealthyReasonOf(error);
      if (reason === null) this.countAnswer(timesUnhealthy);
      else if (timesUnhealthy === this.timesUnhealthy) this.markUnhealthy(reason, error);
      throw error;
    }
  }

  markUnhealthy(
    reason: UnhealthyReason,
    because: { message: string; retryAfterMs?: number | undefined },
  ): void {
    this.timesUnhealthy += 1;
    this.chainCheck.forget();
    this.cooldown.begin(reason, this.options.now(), because.retryAfterMs);
    const { untilMs, failuresInARow } = this.cooldown;
    const { chainId, onUnhealthy } = this.options;
    try {
      onUnhealthy({
        chainId,
        endpoint: this.label,
        reason,
        untilMs,
        failuresInARow,
        detail: because.message,
      });
    } catch {
      // A failing log or alarm must not turn a successful failover into a failed call.
    }
  }

  caughtUp(): void {
    this.cooldown.caughtUp();
  }

  health(): EndpointHealth {
    const { reason, untilMs, failuresInARow } = this.cooldown;
    const away = this.isUnhealthy;
    return {
      endpoint: this.label,
      state: away ? 'unhealthy' : 'healthy',
      reason: away ? reason : null,
      untilMs: away ? untilMs : null,
      failuresInARow,
      headHeight: this.headHeight,
      ranges: this.ranges.state,
    };
  }

  private countAnswer(timesUnhealthy: number): void {
    if (timesUnhealthy === this.timesUnhealthy) this.cooldown.succeeded(this.options.now());
  }

  private asRpcError(thrown: unknown): RpcError {
    if (thrown instanceof RpcError) return thrown;
    // Any other error is a bug of this code and not the endpoint's fault.
    if (!(thrown instanceof UnreadableReply)) throw thrown;
    const { message } = thrown;
    return new RpcError({ kind: 'badReply', reason: 'malformed', endpoint: this.label, text: message });
  }
}

function unhealthyReasonOf(error: RpcError): UnhealthyReason | null {
  if (error.reason === 'wrongChain') return 'wrongChain';
  return error.kind === 'rejected' ? null : error.kind;
}
