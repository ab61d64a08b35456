import { Injectable } from '@nestjs/common';
import type { EvmReceipt } from '@tollbridge/evm';
import { Batcher } from '@tollbridge/database';
import { EvmChains } from '../chains/evm-chains';
import type { ChainView } from './transaction-set';

export interface ReceiptsView extends ChainView {
  receipts: ReadonlyMap<string, EvmReceipt>;
}

// Receipts of as many sets as are looked at together fit into a few batches of a public node.
const maxGroup = 64;
// One that hangs must not hold up the others until its time is over.
const maxConcurrent = 4;

/** What the chains show at this moment, read once for all who look in the same moment. */
@Injectable()
export class ChainViews {
  private readonly byChainId = new Map<number, Batcher<readonly string[], ReceiptsView>>();

  constructor(private readonly chains: EvmChains) {}

  /** The newest block, and what is mined of these, of one node. @throws RpcError when the chain does not answer. */
  of(chainId: number, hashes: readonly string[]): Promise<ReceiptsView> {
    let views = this.byChainId.get(chainId);
    if (!views) {
      const read = (asked: (readonly string[])[]) => this.read(chainId, asked);
      views = new Batcher(read, { maxGroup, maxConcurrent });
      this.byChainId.set(chainId, views);
    }
    return views.add(hashes);
  }

  private async read(chainId: number, asked: (readonly string[])[]): Promise<ReceiptsView[]> {
    const hashes = [...new Set(asked.flat())];
    const { head, receipts } = await this.chains.rpc(chainId).headAndReceipts(hashes);
    const mined = receipts.flatMap((receipt) => (receipt ? [[receipt.txHash, receipt] as const] : []));
    const view = { height: head.height, receipts: new Map(mined) };
    return asked.map(() => view);
  }
}
