import type { Clock } from '@tollbridge/database';
import { JsonRpcProvider, toQuantity } from 'ethers';

const requestTimeoutMs = 10_000;
// Enough for the confirmations of every chain. A block every two seconds for months would exceed the node's memory.
const mostBlocks = 128;
const usualBlockSeconds = 2;
// A smaller difference is within the time between two blocks.
const toleratedSeconds = 60;

/** Advances local EVM nodes to the time of the sandbox, because contracts compare deadlines with the block time. */
export class ChainTimes {
  constructor(
    private readonly urls: readonly string[],
    private readonly clock: Clock,
  ) {}

  /** @throws when a node does not answer; all other nodes are then aligned */
  async align(): Promise<void> {
    const done = await Promise.allSettled(this.urls.map((url) => this.alignNode(url)));
    const failed = done.find((one) => one.status === 'rejected');
    if (failed) throw failed.reason;
  }

  private async alignNode(url: string): Promise<void> {
    const node = new JsonRpcProvider(url, undefined, { staticNetwork: true, batchMaxCount: 1 });
    node._getConnection().timeout = requestTimeoutMs;
    try {
      const { timestamp } = (await node.send('eth_getBlockByNumber', ['latest', false])) as {
        timestamp: string;
      };
      const nowSeconds = Math.floor(this.clock.now() / 1_000);
      const behindSeconds = nowSeconds - Number(timestamp);
      if (behindSeconds <= toleratedSeconds) return;
      const blocks = Math.min(mostBlocks, Math.floor(behindSeconds / usualBlockSeconds));
      // The second parameter is the interval between the blocks. The node's clock continues from the last block.
      await node.send('anvil_mine', [toQuantity(blocks - 1), toQuantity(Math.floor(behindSeconds / blocks))]);
      await node.send('evm_setNextBlockTimestamp', [toQuantity(nowSeconds)]);
      await node.send('evm_mine', []);
    } finally {
      node.destroy();
    }
  }
}
