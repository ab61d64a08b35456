import { InconsistentChain } from './chain-update';
import type { EvmReads } from './evm-reads';
import type { BlockRef, EvmLog } from './evm-types';
import { headerAt } from './fork-point';
import type { LogFilter } from './request-params';

export interface BlockRange {
  /** The first block of the range. Its parent must be the last stored block. */
  first: BlockRef;
  /** The newest blocks of the range, at most as many as the window. */
  blocks: BlockRef[];
  logs: EvmLog[];
}

/**
 * Reads logs and headers of a range, all from one fork. It reads the last header before the logs and again after them.
 * A hash determines all of its ancestors, so an equal last hash proves that the whole range is unchanged.
 */
export async function readRange(
  reads: EvmReads,
  filter: LogFilter,
  window: number,
  head: BlockRef,
): Promise<BlockRange> {
  const { fromBlock, toBlock } = filter;
  const lastBefore = toBlock === head.height ? head : await headerAt(reads, toBlock);
  const ranges = await reads.logsWithRangeEnds(filter);
  const windowStart = Math.max(fromBlock, toBlock - window + 1);
  const heights = new Set([fromBlock, ...ranges.rangeEnds.map((end) => end.height)]);
  for (let height = windowStart; height <= toBlock; height += 1) heights.add(height);
  const headers = await headersAt(reads, [...heights]);

  requireSame(headers, lastBefore);
  for (const end of ranges.rangeEnds) requireSame(headers, end);
  const blocks: BlockRef[] = [];
  for (let height = windowStart; height <= toBlock; height += 1) {
    const block = headers.get(height)!;
    const previous = blocks.at(-1);
    if (previous && block.parentHash !== previous.hash) {
      throw new InconsistentChain(`block ${height} does not follow block ${height - 1}`);
    }
    blocks.push(block);
  }
  requireLogsOnChain(ranges.logs, headers);
  return { first: headers.get(fromBlock)!, blocks, logs: ranges.logs };
}

async function headersAt(reads: EvmReads, heights: readonly number[]): Promise<Map<number, BlockRef>> {
  const headers = await reads.blocksAt(heights);
  return new Map(
    headers.map((header, index) => {
      if (!header) throw new InconsistentChain(`block ${heights[index]} is missing`);
      return [header.height, header];
    }),
  );
}

function requireSame(headers: ReadonlyMap<number, BlockRef>, earlier: BlockRef): void {
  if (headers.get(earlier.height)?.hash !== earlier.hash) {
    throw new InconsistentChain(`block ${earlier.height} was replaced`);
  }
}

/**
 * Below the window no header is available for comparison. The check then requires that all logs of a height have the
 * same block.
 */
function requireLogsOnChain(logs: readonly EvmLog[], headers: ReadonlyMap<number, BlockRef>): void {
  const hashes = new Map([...headers].map(([height, { hash }]) => [height, hash]));
  for (const { height, blockHash } of logs) {
    const hash = hashes.get(height) ?? blockHash;
    if (hash !== blockHash) throw new InconsistentChain(`a log of block ${height} belongs to another fork`);
    hashes.set(height, hash);
  }
}
