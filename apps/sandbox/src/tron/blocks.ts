import { type TronBlockRef } from '@tollbridge/onchain/tron';
import type { EvmBlock } from './anvil-node';

/** Returns 64 digits: the height in the first eight bytes, as on Tron, followed by the end of the EVM block's hash. */
export function blockId({ number, hash }: Pick<EvmBlock, 'number' | 'hash'>): string {
  return Number(number).toString(16).padStart(16, '0') + hash.slice(18);
}

/** Returns the id of the previous block; zeros for the first block. */
export const parentId = ({ number, parentHash }: EvmBlock): string =>
  Number(number) === 0 ? '0'.repeat(64) : blockId({ number: String(Number(number) - 1), hash: parentHash });

export const blockRef = (block: EvmBlock): TronBlockRef => ({
  height: Number(block.number),
  id: blockId(block),
});

export const blockTimeMs = ({ timestamp }: EvmBlock): number => Number(timestamp) * 1_000;

/** Returns the height in a block id. */
export const heightInId = (id: string): number => parseInt(id.slice(0, 16), 16);
