import { Injectable } from '@nestjs/common';
import type { EvmReceipt } from '@tollbridge/evm';
import { Batcher } from '@tollbridge/database';
import { EvmChains } from '../../chains/evm-chains';
import type { ChainView } from '../transaction-set';

export interface ReceiptsView extends ChainView {
  receipts: ReadonlyMap<string, EvmReceipt>;
}

// The worker polls up to 64 sets at the same time. Their receipts fit into a few batches of a public node.
const maxGroup = 64;
// One read without a reply must not delay the others until its time-out.
const maxConcurrent = 4;

/** Reads blocks and receipts, batched over all sets that are polled at the same time. */
@Injectable()
export class ChainViews {
  private readonly byChainId = new Map<number, Batcher<readonly string[], ReceiptsView>>();

  constructor(private readonly chains: EvmChains) {}

  /** Reads the latest block and the receipts of `hashes` from one node. @throws RpcError if the node fails */
  of(chainId: number, hashes: readonly string[]): Promise<ReceiptsView> {
    let views = this.byChainId.get(chainId);
    if (!views) {
      const read = (asked: (readonly string[])[]) => this.read(chainId, asked);
      // The worker repeats the poll, so the batcher does not retry.
      views = new Batcher(read, { maxGroup, maxConcurrent, retryForMs: 0 });
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
