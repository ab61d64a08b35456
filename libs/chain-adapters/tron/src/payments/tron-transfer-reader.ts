import type { NodePool } from '@tollbridge/chain-nodes';
import type { MinedTransfers, TransferRead, TransferReader, WantedTransfers } from '@tollbridge/chain-port';
import type { ChainWithNodes } from '@tollbridge/chains';
import type { BlockRef as EvmBlock } from '@tollbridge/evm';
import { withProviderErrors } from '../provider-failure';
import type { SignedTransaction } from '../signed-transaction';
import type { TronNode } from '../tron-node';
import type { TronReceipt } from '../tron-receipt';
import { bare } from './conversions';
import { orderPaidTopic } from './order-paid';
import { coinTransfers, otherTransfers, referenceIn, tokenTransfers } from './transfers';

const unavailable: TransferRead = { kind: 'unavailable' };

/** Reads transfers on Tron, even without a payment contract. Stateless. */
export class TronTransferReader<C extends ChainWithNodes = ChainWithNodes> implements TransferReader {
  constructor(
    readonly chain: C,
    protected readonly rpc: NodePool<TronNode>,
  ) {}

  get pollIntervalMs(): number {
    return this.chain.pollIntervalMs;
  }

  /** Reads from one node, so that the answers are from one view of the chain. @throws ProviderError */
  async readTransfers(wanted: readonly WantedTransfers[]): Promise<TransferRead[]> {
    if (wanted.length === 0) return [];
    return this.ask(async (node) => {
      const { head, receipts } = await node.reads.headAndTronReceipts(wanted.map(({ txHash }) => txHash));
      const heightOf = (at: number) => receipts[at]?.height ?? wanted[at]!.seenIn?.height;
      const heights = [...new Set(wanted.flatMap((_, at) => heightOf(at) ?? []))];
      const headers = heights.length === 0 ? [] : await node.reads.blocksAt(heights);
      const blocks = new Map(heights.map((height, at) => [height, headers[at] ?? null]));
      const reads: TransferRead[] = [];
      for (const [at, it] of wanted.entries()) {
        const [receipt, height] = [receipts[at] ?? null, heightOf(at)];
        const block = height === undefined ? null : (blocks.get(height) ?? null);
        reads.push(await readTransfer(node, it, { head, block, receipt }));
      }
      return reads;
    });
  }

  /** Runs `work` against one node. When that node fails, `work` runs again on the next one. */
  protected ask<T>(work: (node: TronNode) => Promise<T>): Promise<T> {
    return this.rpc.ask((node) => withProviderErrors(() => work(node)));
  }
}

/** Requests one transaction at a time, because TronGrid suspends a key that sends 15 requests per second. */
async function readTransfer(
  node: TronNode,
  wanted: WantedTransfers,
  { head, block, receipt }: { head: EvmBlock; block: EvmBlock | null; receipt: TronReceipt | null },
): Promise<TransferRead> {
  if (!receipt)
    return isStillThere(wanted.seenIn, block)
      ? unavailable
      : { kind: 'unmined', chainTimeMs: head.timestamp * 1_000 };
  // The chain has advanced between the answers, or one of the nodes behind the URL lags.
  if (block?.hash !== receipt.blockHash) return unavailable;
  const transaction = await node.transaction(wanted.txHash);
  return transaction ? minedTransfers(wanted, { head, block, receipt, transaction }) : unavailable;
}

interface MinedTransaction {
  head: EvmBlock;
  block: EvmBlock;
  receipt: TronReceipt;
  transaction: SignedTransaction;
}

function minedTransfers(
  { txHash, token, receiver }: WantedTransfers,
  { head, block, receipt, transaction }: MinedTransaction,
): MinedTransfers {
  const mined = {
    kind: 'mined',
    block: { height: block.height, hash: bare(block.hash), timeMs: block.timestamp * 1_000 },
    confirmations: head.height - block.height + 1,
    isSuccessful: receipt.succeeded,
  } as const;
  if (!receipt.succeeded)
    return { ...mined, transfers: [], otherTransfers: [], paysOrder: false, reference: null };
  const { logs } = receipt;
  const coins = coinTransfers(transaction, receiver, txHash);
  return {
    ...mined,
    transfers: token.address === null ? coins : tokenTransfers(logs, token.address, receiver, txHash),
    otherTransfers: otherTransfers(logs, coins, { token: token.address, receiver, txHash }),
    paysOrder: logs.some(({ topics }) => topics[0] === orderPaidTopic),
    reference: referenceIn(transaction, token.address, receiver),
  };
}

/**
 * Whether the transaction may still be mined. A node that lacks the block, or its receipts, does not prove that the
 * transaction was dropped.
 */
function isStillThere(seenIn: WantedTransfers['seenIn'], block: EvmBlock | null): boolean {
  return seenIn !== null && (block === null || bare(block.hash) === seenIn.hash);
}
