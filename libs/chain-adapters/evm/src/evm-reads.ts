import { UnreadableReply, readList } from '@tollbridge/http';
import type { BlockRef, EvmLog, EvmReceipt, EvmTransaction } from './evm-types';
import { inChainOrder, readBlock, readBlockAt, readLog, readReceipt, readTransaction } from './evm-wire';
import type { RpcRequest } from './json-rpc';
import { filterParam, heightParam, type LogFilter, matchesFilter, txHashParam } from './request-params';
import { RpcError, type RpcErrorReason } from './rpc-error';
import { RangeLimit } from '@tollbridge/chain-nodes';
import { readBytes } from './wire-fields';

export type BlockAt = number | 'latest' | 'safe' | 'finalized' | { blockHash: string };

export interface EthCall {
  to: string;
  data: string;
  from?: string;
  valueAtomic?: bigint;
}

/** Logs with `rangeEnds`, the last blocks of the requested ranges at the answering node. */
export interface RangeLogs {
  logs: EvmLog[];
  rangeEnds: BlockRef[];
}

/** Typed reads of a chain. Every reply is validated before it is used. */
export abstract class EvmReads {
  /** Name of the endpoint or chain without secrets. */
  abstract readonly label: string;

  /** @param ranges the range of logs that the endpoint accepts */
  constructor(readonly ranges = new RangeLimit()) {}

  /**
   * An `UnreadableReply` from `read` marks the endpoint as unhealthy. An error with the reason `notItsFault` does not.
   */
  protected abstract request<T>(
    requests: readonly RpcRequest[],
    read: (results: unknown[]) => T,
    notItsFault?: RpcErrorReason,
  ): Promise<T>;

  /** Calls any method and returns the unparsed result. */
  call(method: string, params: readonly unknown[] = []): Promise<unknown> {
    return this.request([{ method, params }], ([result]) => result);
  }

  /** Returns results in the order of the requests. Throws the first error of any request. */
  batch(requests: readonly RpcRequest[]): Promise<unknown[]> {
    return this.request(requests, (results) => results);
  }

  head(): Promise<BlockRef> {
    const latest = { method: 'eth_getBlockByNumber', params: ['latest', false] };
    return this.request([latest], ([block]) => readBlock(block));
  }

  async blockByNumber(height: number): Promise<BlockRef | null> {
    const [block] = await this.blocksAt([height]);
    return block ?? null;
  }

  /** Returns the headers of these heights, with null for each block that the node does not have. */
  async blocksAt(heights: readonly number[]): Promise<(BlockRef | null)[]> {
    return this.request(heights.map(headerRequest), (results) =>
      results.map((block, index) => readBlockAt(block, heights[index]!)),
    );
  }

  /** Returns the headers from `from` to `to`, both included. They may be from several forks: see `nextUpdate`. */
  async blocks(from: number, to: number): Promise<BlockRef[]> {
    const heights = Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index);
    const blocks = await this.blocksAt(heights);
    return blocks.map((block, index) => block ?? this.throwMissing(heights[index]!));
  }

  async logs(filter: LogFilter): Promise<EvmLog[]> {
    return (await this.logsWithRangeEnds(filter)).logs;
  }

  /**
   * Reads logs in parts that the endpoint accepts. When the endpoint rejects a range as too large, smaller parts are
   * read immediately. Any other failure is thrown, and the next read requests smaller parts.
   */
  async logsWithRangeEnds(filter: LogFilter): Promise<RangeLogs> {
    const logs: EvmLog[] = [];
    const rangeEnds: BlockRef[] = [];
    let { fromBlock } = filter;
    do {
      const toBlock = Math.min(filter.toBlock, fromBlock + this.ranges.atMost - 1);
      const part = await this.logsUnlessTooLarge({ ...filter, fromBlock, toBlock });
      if (!part) continue;
      logs.push(...part.logs);
      rangeEnds.push(...part.rangeEnds);
      fromBlock = toBlock + 1;
    } while (fromBlock <= filter.toBlock);
    return { logs, rangeEnds };
  }

  private async logsUnlessTooLarge(filter: LogFilter): Promise<RangeLogs | undefined> {
    const blocks = filter.toBlock - filter.fromBlock + 1;
    try {
      const part = await this.logsOfOneRange(filter);
      this.ranges.accepted(blocks);
      return part;
    } catch (error) {
      if (!(error instanceof RpcError) || !error.mayBeAboutRange) throw error;
      this.ranges.rejected(blocks, error.asksForSmallerRange);
      if (error.asksForSmallerRange && blocks > 1) return undefined;
      throw error;
    }
  }

  /** Returns null if the transaction is not mined or this node does not have it. A lagging node returns null too. */
  async receipt(txHash: string): Promise<EvmReceipt | null> {
    const hash = txHashParam(txHash);
    const asked = { method: 'eth_getTransactionReceipt', params: [hash] };
    return this.request([asked], ([receipt]) => readReceipt(receipt, hash));
  }

  /** Returns the newest block and the result of `receipt` for each transaction, in one batch. */
  headAndReceipts(txHashes: readonly string[]): Promise<{ head: BlockRef; receipts: (EvmReceipt | null)[] }> {
    const hashes = txHashes.map(txHashParam);
    const requests = [
      { method: 'eth_getBlockByNumber', params: ['latest', false] },
      ...hashes.map((hash) => ({ method: 'eth_getTransactionReceipt', params: [hash] })),
    ];
    return this.request(requests, ([block, ...receipts]) => ({
      head: readBlock(block),
      receipts: receipts.map((receipt, at) => readReceipt(receipt, hashes[at]!)),
    }));
  }

  async transaction(txHash: string): Promise<EvmTransaction | null> {
    const hash = txHashParam(txHash);
    const asked = { method: 'eth_getTransactionByHash', params: [hash] };
    return this.request([asked], ([transaction]) => readTransaction(transaction, hash));
  }

  /**
   * Returns the result in hexadecimal. A revert throws an `RpcError` of kind `rejected` with the revert data in `data`.
   */
  async ethCall(call: EthCall, at: BlockAt = 'latest'): Promise<string> {
    return this.request([callRequest(call, at)], ([result]) => readBytes(result, 'eth_call'));
  }

  /** Returns the result of each call, in one batch, with null for each reverted call. */
  async ethCalls(calls: readonly EthCall[], at: BlockAt = 'latest'): Promise<(string | null)[]> {
    const requests = calls.map((call) => ({ ...callRequest(call, at), mayFail: true }));
    return this.request(requests, (results) =>
      results.map((result) => (result instanceof RpcError ? null : readBytes(result, 'eth_call'))),
    );
  }

  /**
   * Nodes return an empty list for blocks that they do not have yet, and a URL may be served by many nodes. The same
   * batch therefore requests the last header of the range. Without this header the logs are not used.
   */
  private async logsOfOneRange(filter: LogFilter): Promise<RangeLogs> {
    const requests = [
      headerRequest(filter.toBlock),
      { method: 'eth_getLogs', params: [filterParam(filter)] },
    ];
    const read = ([end, logs]: unknown[]): { logs: EvmLog[]; end: BlockRef | null } => ({
      logs: readFiltered(logs, filter),
      end: readBlockAt(end, filter.toBlock),
    });
    // A range may have more logs than one reply may contain. A single block may not.
    const spared = filter.fromBlock < filter.toBlock ? 'replyTooLarge' : undefined;
    const { logs, end } = await this.request(requests, read, spared);
    return { logs, rangeEnds: [end ?? this.throwMissing(filter.toBlock)] };
  }

  private throwMissing(height: number): never {
    const text = `has no block ${height}`;
    throw new RpcError({ kind: 'rejected', reason: 'headerNotFound', endpoint: this.label, text });
  }
}

function callRequest({ valueAtomic, ...call }: EthCall, at: BlockAt): RpcRequest {
  const value = valueAtomic === undefined ? {} : { value: `0x${valueAtomic.toString(16)}` };
  return {
    method: 'eth_call',
    params: [{ ...call, ...value }, typeof at === 'number' ? heightParam(at) : at],
  };
}

function headerRequest(height: number): RpcRequest {
  return { method: 'eth_getBlockByNumber', params: [heightParam(height), false] };
}

function readFiltered(value: unknown, filter: LogFilter): EvmLog[] {
  const logs = readList(value, 'logs').map(readLog);
  if (!logs.every((log) => matchesFilter(log, filter))) throw new UnreadableReply('logs is malformed');
  return inChainOrder(logs);
}
