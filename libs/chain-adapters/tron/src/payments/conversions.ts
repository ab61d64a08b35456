import type { BlockRef } from '@tollbridge/chain-port';
import type { BlockRef as EvmBlock, EvmLog } from '@tollbridge/evm';
import { tronToEvmAddress, type TronLog } from '@tollbridge/onchain/tron';

// The nodes' JSON-RPC uses hashes with `0x` and addresses of 20 bytes, unlike all other interfaces of Tron.

/** Removes `0x`. */
export const bare = (hex: string): string => hex.replace(/^0x/, '');

export const toBlockRef = ({ height, hash, parentHash, timestamp }: EvmBlock): BlockRef => ({
  height,
  hash: bare(hash),
  parentHash: bare(parentHash),
  timeMs: timestamp * 1_000,
});

export const toEvmBlock = ({ height, hash, parentHash, timeMs }: BlockRef): EvmBlock => ({
  height,
  hash: `0x${hash}`,
  parentHash: `0x${parentHash}`,
  timestamp: timeMs / 1_000,
});

export const toTronLog = ({ address, topics, data }: EvmLog): TronLog => ({
  address: bare(address),
  topics: topics.map(bare),
  data: bare(data),
});

/** Returns an address in lower case, like in logs. */
export const logAddress = (base58: string): string => tronToEvmAddress(base58).toLowerCase();
