import type { EvmLog } from './evm-types';

export interface LogFilter {
  address: string | readonly string[];
  /** Topics by position; null matches any topic. */
  topics: readonly (string | null)[];
  fromBlock: number;
  /** The last block, included in the range. */
  toBlock: number;
}

// Invalid parameters are bugs of this code, so these functions throw plain errors and do not blame an endpoint.

export function heightParam(height: number): string {
  if (!Number.isSafeInteger(height) || height < 0) throw new RangeError(`Not a block height: ${height}`);
  return `0x${height.toString(16)}`;
}

export function txHashParam(txHash: string): string {
  if (!/^0x[0-9a-f]{64}$/i.test(txHash)) throw new TypeError('Not a transaction hash');
  return txHash.toLowerCase();
}

export function filterParam(filter: LogFilter): Record<string, unknown> {
  const addresses = addressesOf(filter);
  // Nodes treat an empty list as every contract of the chain.
  if (addresses.length === 0) throw new RangeError('A log filter must have an address');
  if (addresses.some((address) => !/^0x[0-9a-f]{40}$/.test(address))) throw new TypeError('Not an address');
  if (filter.toBlock < filter.fromBlock) throw new RangeError('A log filter ends before it begins');
  return {
    address: addresses,
    topics: filter.topics,
    fromBlock: heightParam(filter.fromBlock),
    toBlock: heightParam(filter.toBlock),
  };
}

export function matchesFilter(log: EvmLog, filter: LogFilter): boolean {
  return (
    log.height >= filter.fromBlock &&
    log.height <= filter.toBlock &&
    addressesOf(filter).includes(log.address) &&
    filter.topics.every((topic, index) => topic === null || topic.toLowerCase() === log.topics[index])
  );
}

function addressesOf(filter: LogFilter): string[] {
  return [filter.address].flat().map((address) => address.toLowerCase());
}
