import { ChainCheck } from './chain-check';
import type { HttpLimits } from './http-post';
import { JsonRpcClient } from './json-rpc-client';
import type { RpcRequest } from './json-rpc';
import { RpcError, type RpcErrorReason } from './rpc-error';
import { parseRpcUrl } from './rpc-url';
import { SetAside, type SetAsideReason } from './set-aside';
import { MalformedReply } from './wire-fields';

export interface SetAsideEvent {
  chainId: number;
  /** Redacted. */
  endpoint: string;
  reason: SetAsideReason;
  untilMs: number;
  failuresInARow: number;
  detail: string;
}

export interface EndpointHealth {
  /** Redacted. */
  endpoint: string;
  state: 'healthy' | 'setAside';
  reason: SetAsideReason | null;
  untilMs: number | null;
  failuresInARow: number;
  /** The newest block it has shown, null before the first look. */
  headHeight: number | null;
}

export interface EndpointOptions extends HttpLimits {
  chainId: number;
  now(): number;
  random(): number;
  maxSetAsideMs: number;
  onSetAside(event: SetAsideEvent): void;
}

/** One URL of a chain: checks what it is and what it answers, and keeps out of the way when it fails. */
export class RpcEndpoint {
  headHeight: number | null = null;
  private readonly client: JsonRpcClient;
  private readonly setAsideState: SetAside;
  private readonly chainCheck: ChainCheck;
  // Calls that were under way when the endpoint was set aside fail too; only the first of them counts.
  private timesSetAside = 0;

  constructor(
    url: string,
    position: number,
    private readonly options: EndpointOptions,
  ) {
    this.client = new JsonRpcClient(parseRpcUrl(url, position), options);
    this.chainCheck = new ChainCheck(this.client, options.chainId, options);
    this.setAsideState = new SetAside(options.maxSetAsideMs, options.random);
  }

  get label(): string {
    return this.client.url.label;
  }

  get isSetAside(): boolean {
    return this.setAsideState.isActive(this.options.now());
  }

  get setAsideUntilMs(): number {
    return this.setAsideState.untilMs;
  }

  get mayBeTriedEarly(): boolean {
    return this.setAsideState.mayBeTriedEarly;
  }

  /** `read` turns the results into a value and throws `MalformedReply` on what cannot be; that sets the endpoint aside. */
  async request<T>(
    requests: readonly RpcRequest[],
    read: (results: unknown[]) => T,
    notItsFault?: RpcErrorReason,
  ): Promise<T> {
    const timesSetAside = this.timesSetAside;
    try {
      await this.chainCheck.pass();
      const value = read(await this.client.send(requests));
      this.countAnswer(timesSetAside);
      return value;
    } catch (thrown) {
      const error = this.asRpcError(thrown);
      const reason = error.reason === notItsFault ? null : setAsideReasonOf(error);
      if (reason === null) this.countAnswer(timesSetAside);
      else if (timesSetAside === this.timesSetAside) this.setAside(reason, error);
      throw error;
    }
  }

  setAside(reason: SetAsideReason, because: { message: string; retryAfterMs?: number | undefined }): void {
    this.timesSetAside += 1;
    this.chainCheck.forget();
    this.setAsideState.begin(reason, this.options.now(), because.retryAfterMs);
    const { untilMs, failuresInARow } = this.setAsideState;
    const { chainId, onSetAside } = this.options;
    try {
      onSetAside({ chainId, endpoint: this.label, reason, untilMs, failuresInARow, detail: because.message });
    } catch {
      // A failing log or alarm must not turn a good failover into a failed call.
    }
  }

  caughtUp(): void {
    this.setAsideState.caughtUp();
  }

  health(): EndpointHealth {
    const { reason, untilMs, failuresInARow } = this.setAsideState;
    const away = this.isSetAside;
    return {
      endpoint: this.label,
      state: away ? 'setAside' : 'healthy',
      reason: away ? reason : null,
      untilMs: away ? untilMs : null,
      failuresInARow,
      headHeight: this.headHeight,
    };
  }

  private countAnswer(timesSetAside: number): void {
    if (timesSetAside === this.timesSetAside) this.setAsideState.succeeded(this.options.now());
  }

  private asRpcError(thrown: unknown): RpcError {
    if (thrown instanceof RpcError) return thrown;
    // Anything else is a mistake of ours and no endpoint's.
    if (!(thrown instanceof MalformedReply)) throw thrown;
    const { message } = thrown;
    return new RpcError({ kind: 'badReply', reason: 'malformed', endpoint: this.label, text: message });
  }
}

function setAsideReasonOf(error: RpcError): SetAsideReason | null {
  if (error.reason === 'wrongChain') return 'wrongChain';
  return error.kind === 'rejected' ? null : error.kind;
}
