import { httpSender, type SendHttp } from '@tollbridge/http';
import { EvmReads, type RangeLogs } from './evm-reads';
import type { BlockRef } from './evm-types';
import { HeadComparison } from './head-comparison';
import type { RpcRequest } from './json-rpc';
import { PinnedReads } from './pinned-reads';
import type { LogFilter } from './request-params';
import { type EndpointHealth, RpcEndpoint, type UnhealthyEvent } from './rpc-endpoint';
import { RpcError, type RpcErrorReason } from './rpc-error';
import { maxCooldownAloneMs, maxCooldownMs } from '@tollbridge/chain-nodes';

export interface EvmRpcOptions {
  chainId: number;
  /** URLs in order of preference. The first healthy one is used. */
  urls: readonly string[];
  timeoutMs?: number;
  maxLagBlocks: number;
  maxReplyBytes?: number;
  /** Milliseconds. */
  clock?: { now(): number };
  random?: () => number;
  /** Replaces the HTTP client in tests. `fetch` is compatible. */
  fetch?: SendHttp;
  /** Called when an endpoint becomes unhealthy. `wrongChain` is a configuration error and should raise an alarm. */
  onUnhealthy?: (event: UnhealthyEvent) => void;
}

const sendHttp = httpSender();
const defaultTimeoutMs = 5_000;
// Far above the size of 2,000 blocks of payment logs or a hundred headers. Safe for the memory of a small process.
const defaultMaxReplyBytes = 32 * 1024 * 1024;

/** Combines several JSON-RPC URLs of a chain. When one endpoint fails, the next healthy one is called immediately. */
export class EvmRpc extends EvmReads {
  readonly label: string;
  private readonly endpoints: readonly RpcEndpoint[];
  private readonly clock: { now(): number };
  private readonly headComparison: HeadComparison;

  constructor(private readonly options: EvmRpcOptions) {
    super();
    const { chainId, urls } = options;
    if (urls.length === 0) throw new RangeError(`Chain ${chainId} has no RPC URL`);
    const clock = options.clock ?? Date;
    const endpointOptions = {
      chainId,
      now: () => clock.now(),
      random: options.random ?? Math.random,
      fetch: options.fetch ?? sendHttp,
      timeoutMs: options.timeoutMs ?? defaultTimeoutMs,
      maxReplyBytes: options.maxReplyBytes ?? defaultMaxReplyBytes,
      maxCooldownMs: urls.length === 1 ? maxCooldownAloneMs : maxCooldownMs,
      onUnhealthy: options.onUnhealthy ?? (() => undefined),
    };
    this.label = `chain ${chainId}`;
    this.clock = clock;
    this.endpoints = urls.map((url, index) => new RpcEndpoint(url, index + 1, endpointOptions));
    this.headComparison = new HeadComparison(this.endpoints, options.maxLagBlocks, clock);
  }

  get chainId(): number {
    return this.options.chainId;
  }

  health(): EndpointHealth[] {
    return this.endpoints.map((endpoint) => endpoint.health());
  }

  /**
   * Runs several reads against one endpoint. When that endpoint fails, `work` runs again from the start on the next
   * one. It must therefore only read.
   */
  async pinned<T>(work: (reads: EvmReads) => Promise<T>): Promise<T> {
    await this.headComparison.runWhenDue();
    return this.withFailover(work);
  }

  override head(): Promise<BlockRef> {
    return this.pinned((reads) => reads.head());
  }

  override headAndReceipts(txHashes: readonly string[]): ReturnType<EvmReads['headAndReceipts']> {
    return this.pinned((reads) => reads.headAndReceipts(txHashes));
  }

  override blocks(from: number, to: number): Promise<BlockRef[]> {
    return this.withFailover((reads) => reads.blocks(from, to));
  }

  override logsWithRangeEnds(filter: LogFilter): Promise<RangeLogs> {
    return this.withFailover((reads) => reads.logsWithRangeEnds(filter));
  }

  protected request<T>(
    requests: readonly RpcRequest[],
    read: (results: unknown[]) => T,
    notItsFault?: RpcErrorReason,
  ): Promise<T> {
    return this.withFailover((_reads, endpoint) => endpoint.request(requests, read, notItsFault));
  }

  private async withFailover<T>(work: (reads: EvmReads, endpoint: RpcEndpoint) => Promise<T>): Promise<T> {
    const tried = new Set<RpcEndpoint>();
    // Endpoints that rejected a range with an unknown message. Smaller ranges are requested after all others have
    // failed.
    const rejecting: RpcEndpoint[] = [];
    let triedEarly = false;
    let lastError: RpcError | null = null;
    for (;;) {
      const healthy = this.endpoints.find((endpoint) => !endpoint.isUnhealthy && !tried.has(endpoint));
      const endpoint: RpcEndpoint | undefined =
        healthy ?? rejecting.shift() ?? (triedEarly ? undefined : this.firstBack(tried));
      if (!endpoint) throw lastError ?? this.allUnhealthy();
      triedEarly ||= !healthy;
      tried.add(endpoint);
      const { rejections } = endpoint.ranges;
      try {
        return await work(new PinnedReads(endpoint), endpoint);
      } catch (error) {
        if (!(error instanceof RpcError)) throw error;
        error.isAfterSilence = lastError !== null;
        if (!error.mayDifferElsewhere) throw error;
        lastError = error;
        const isSmallerNext = endpoint.ranges.rejections > rejections && endpoint.ranges.lastRejected > 1;
        if (error.kind === 'rejected' && isSmallerNext) rejecting.push(endpoint);
      }
    }
  }

  /**
   * Returns the endpoint that recovers first when all are unhealthy, because one attempt is better than minutes of
   * none.
   */
  private firstBack(tried: ReadonlySet<RpcEndpoint>): RpcEndpoint | undefined {
    if (this.endpoints.some((endpoint) => !endpoint.isUnhealthy)) return undefined;
    return this.endpoints
      .filter((endpoint) => endpoint.mayBeTriedEarly && !tried.has(endpoint))
      .reduce<RpcEndpoint | undefined>(
        (first, next) => (first && first.unhealthyUntilMs <= next.unhealthyUntilMs ? first : next),
        undefined,
      );
  }

  private allUnhealthy(): RpcError {
    const health = this.health();
    const waits = health.map(({ endpoint, reason, untilMs }) => {
      return `${endpoint} ${reason} for ${(untilMs ?? 0) - this.clock.now()} ms`;
    });
    const limitedOnly = health.every(({ reason }) => reason === 'rateLimited');
    const firstBackMs = Math.min(...health.map(({ untilMs }) => untilMs ?? 0)) - this.clock.now();
    return new RpcError({
      kind: limitedOnly ? 'rateLimited' : 'unavailable',
      reason: 'allUnhealthy',
      endpoint: this.label,
      text: `every endpoint is unhealthy: ${waits.join('; ')}`,
      retryAfterMs: Math.max(0, firstBackMs),
    });
  }
}
