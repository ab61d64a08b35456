import { mapBounded, type NodePool } from '@tollbridge/chain-nodes';
import type { TransferRead, TransferReader, WantedTransfers } from '@tollbridge/chain-port';
import type { ChainWithNodes } from '@tollbridge/chains';
import type { SolanaNode } from '../solana-node';
import type { SolanaBlock, SolanaTransaction } from '../solana-types';
import { referenceIn } from './memo-reference';
import { readHead } from './read-head';
import { paysAnyOrder } from './read-payments';
import { otherTransfersTo, transfersTo } from './transfers';

/** Reads transfers on Solana, even without a payment program. Stateless. */
export class SolanaTransferReader<C extends ChainWithNodes = ChainWithNodes> implements TransferReader {
  constructor(
    readonly chain: C,
    readonly rpc: NodePool<SolanaNode>,
  ) {}

  get pollIntervalMs(): number {
    return this.chain.pollIntervalMs;
  }

  /** Reads from one node, so that the answers are from one view of the chain. @throws ProviderError */
  async readTransfers(wanted: readonly WantedTransfers[]): Promise<TransferRead[]> {
    if (wanted.length === 0) return [];
    return this.rpc.ask(async (node) => {
      const transactions = await mapBounded(wanted, ({ txHash }) => node.transaction(txHash));
      // Read afterwards, so that no transaction is in a later block.
      const { head } = await readHead(node);
      return mapBounded(wanted, (it, at) => {
        const transaction = transactions[at]!;
        return transaction ? mined(node, it, transaction, head) : missing(node, it, head);
      });
    });
  }
}

async function mined(
  node: SolanaNode,
  { token, receiver }: WantedTransfers,
  transaction: SolanaTransaction,
  head: SolanaBlock,
): Promise<TransferRead> {
  const { height, hash, timeMs } =
    transaction.slot === head.height ? head : await node.blockAt(transaction.slot);
  const transfers = transfersTo(transaction, token.address, receiver);
  const [transfer] = transfers;
  return {
    kind: 'mined',
    block: { height, hash, timeMs },
    // A confirmed block may be newer than the head, which ends 31 slots after the newest finalized slot.
    confirmations: Math.max(head.height - height + 1, 1),
    isSuccessful: transaction.isSuccessful,
    transfers,
    otherTransfers: otherTransfersTo(transaction, token.address, receiver),
    paysOrder: paysAnyOrder(transaction),
    reference: transfer ? referenceIn(transaction, transfer.from) : null,
  };
}

/** A node without the block that contained the transaction does not prove that the transaction was dropped. */
async function missing(
  node: SolanaNode,
  { seenIn }: WantedTransfers,
  head: SolanaBlock,
): Promise<TransferRead> {
  const unmined = { kind: 'unmined', chainTimeMs: head.timeMs } as const;
  if (seenIn === null) return unmined;
  if (seenIn.height > head.height) return { kind: 'unavailable' };
  const block = await node.block(seenIn.height);
  return block?.hash === seenIn.hash ? { kind: 'unavailable' } : unmined;
}
