import { createHash } from 'node:crypto';
import type { BlockRef, EvmLog } from '../evm-types';

export interface ScriptedBlock extends BlockRef {
  logs: EvmLog[];
}

export const payContract = `0x${'c0'.repeat(20)}`;
export const paidTopic = `0x${'ab'.repeat(32)}`;

let blocksMade = 0;

export function digest(text: string): string {
  return `0x${createHash('sha256').update(text).digest('hex')}`;
}

/** A chain in memory. Hashes depend on all ancestors, so no two blocks have the same hash. */
export class ScriptedChain {
  blocks: ScriptedBlock[] = [];

  constructor() {
    this.mine(1);
  }

  get head(): ScriptedBlock {
    return this.blocks.at(-1)!;
  }

  /** Appends blocks. `logsPerBlock` returns the number of payment logs of each new block. */
  mine(count: number, logsPerBlock: (height: number) => number = () => 0): this {
    for (let made = 0; made < count; made += 1) {
      const height = this.blocks.length;
      const parentHash = this.blocks.at(-1)?.hash ?? digest('nothing');
      const hash = digest(`${parentHash} ${(blocksMade += 1)}`);
      const logs = Array.from({ length: logsPerBlock(height) }, (_, logIndex) =>
        scriptedLog({ height, hash }, logIndex),
      );
      this.blocks.push({ height, hash, parentHash, timestamp: 1_700_000_000 + height * 2, logs });
    }
    return this;
  }

  /** Removes the newest `depth` blocks, but never genesis. */
  drop(depth: number): this {
    this.blocks.length = Math.max(1, this.blocks.length - depth);
    return this;
  }

  logsFrom(height: number): EvmLog[] {
    return this.blocks.slice(height).flatMap((block) => block.logs);
  }

  copy(): ScriptedChain {
    const copy = new ScriptedChain();
    copy.blocks = [...this.blocks];
    return copy;
  }
}

export function scriptedLog(block: { height: number; hash: string }, logIndex: number): EvmLog {
  return {
    address: payContract,
    topics: [paidTopic, digest(`${block.hash} ${logIndex}`)],
    data: digest(`data ${block.hash} ${logIndex}`),
    blockHash: block.hash,
    height: block.height,
    txHash: digest(`tx ${block.hash} ${logIndex}`),
    logIndex,
  };
}

/** Returns the block without its logs, in the form of the code under test. */
export function refOf({ height, hash, parentHash, timestamp }: BlockRef): BlockRef {
  return { height, hash, parentHash, timestamp };
}
