import type { BlockRef } from '@tollbridge/chain-port';
import type { SolanaNode } from '../solana-node';
import type { ListedSignature, SolanaBlock } from '../solana-types';

interface Rest {
  afterHash: string;
  listed: readonly ListedSignature[];
  end: SolanaBlock;
}

/**
 * Caches the rest of a long list of signatures after a step. Without it, every step of catching up would list them
 * again. The cache contains only final signatures, which never change.
 */
export class Backlog {
  private rest: Rest | undefined;

  /** Returns the signatures after this block, up to `end`; undefined if they are not cached. */
  after(block: Pick<BlockRef, 'hash'> | undefined): Omit<Rest, 'afterHash'> | undefined {
    return this.rest?.afterHash === block?.hash ? this.rest : undefined;
  }

  /** @param listed the signatures after `block`, in ascending order */
  async keep(
    node: SolanaNode,
    block: SolanaBlock,
    listed: readonly ListedSignature[],
    finalizedSlot: number,
  ): Promise<void> {
    const final = listed.filter(({ slot }) => slot <= finalizedSlot);
    this.rest = undefined;
    if (final.length === 0) return;
    const end = await node.blockAt(finalizedSlot);
    this.rest = { afterHash: block.hash, listed: final, end };
  }
}
