import { mapBounded, type NodePool } from '@tollbridge/chain-nodes';
import type { BlockRef, TransferRead, TransferReader, WantedTransfers } from '@tollbridge/chain-port';
import type { ChainWithNodes } from '@tollbridge/chains';
import { rawOf } from './addresses';
import { ChainJettons } from './chain-jettons';
import type { Trace } from './indexed';
import type { TonNode } from './ton-node';
import { isReturned, paysOrder, readTraceTransfers } from './trace-transfers';

const unavailable: TransferRead = { kind: 'unavailable' };

/**
 * Reads transfers on TON. A transfer belongs to the first transaction of its trace, which is the payer's wallet's. It
 * is not returned for the hash of another transaction or of a message, so that it cannot pay twice.
 */
export class TonTransferReader<C extends ChainWithNodes = ChainWithNodes> implements TransferReader {
  protected readonly jettons: ChainJettons;

  constructor(
    readonly chain: C,
    protected readonly rpc: Pick<NodePool<TonNode>, 'ask'>,
  ) {
    this.jettons = new ChainJettons(chain);
  }

  get pollIntervalMs(): number {
    return this.chain.pollIntervalMs;
  }

  /** Reads from one node, so that the answers are from one view of the chain. @throws ProviderError */
  async readTransfers(wanted: readonly WantedTransfers[]): Promise<TransferRead[]> {
    if (wanted.length === 0) return [];
    return this.rpc.ask(async (node) => {
      const head = await node.block(await node.head());
      return mapBounded(wanted, (it) => this.readOne(node, it, head));
    });
  }

  private async readOne(node: TonNode, wanted: WantedTransfers, head: BlockRef): Promise<TransferRead> {
    const trace = await node.traceOfTransaction(wanted.txHash);
    // Blocks are final, so a transaction that was seen can only be missing while a node lags.
    if (!trace) return wanted.seenIn ? unavailable : { kind: 'unmined', chainTimeMs: head.timeMs };
    if (!trace.isComplete || trace.seqno > head.height) return unavailable;
    const [block, found] = await Promise.all([
      node.block(trace.seqno),
      this.transfersIn(node, trace, wanted),
    ]);
    return {
      kind: 'mined',
      block: { height: block.height, hash: block.hash, timeMs: block.timeMs },
      confirmations: head.height - block.height + 1,
      isSuccessful: found.transfers.length > 0 || !isReturned(trace),
      ...found,
      paysOrder: paysOrder(trace),
    };
  }

  private async transfersIn(node: TonNode, trace: Trace, { txHash, token, receiver }: WantedTransfers) {
    const isFirst = trace.transactions[0]!.hash === txHash;
    if (!isFirst) return { transfers: [], otherTransfers: [], reference: null };
    const jettons = await this.jettons.all(node);
    const jetton = token.address === null ? null : await this.jettons.of(node, token.address);
    const wanted = { txHash, jetton, receiver: await rawOf(receiver) };
    return readTraceTransfers(node, trace, wanted, { chain: this.chain, jettons });
  }
}
