import type { MinedTransfers, TransferRead, TransferReader, WantedTransfers } from '@tollbridge/chain-port';
import { idNamedAtEnd, type EvmChain } from '@tollbridge/chains';
import type { EvmReads } from '../evm-reads';
import type { BlockRef, EvmReceipt, EvmTransaction } from '../evm-types';
import type { EvmRpc } from '../rpc-pool';
import { orderPaidTopic } from './order-paid';
import { coinTransfers, otherTransfers, tokenTransfers } from './token-transfers';

// Selector of `transfer(address,uint256)`, the only call that transfers the caller's own tokens.
const transferSelector = '0xa9059cbb';

const unavailable: TransferRead = { kind: 'unavailable' };

/** Reads transfers on an EVM chain from nodes, even without a payment contract. Stateless. */
export class EvmTransferReader<C extends EvmChain = EvmChain> implements TransferReader {
  constructor(
    readonly chain: C,
    protected readonly rpc: EvmRpc,
  ) {}

  get pollIntervalMs(): number {
    return this.chain.pollIntervalMs;
  }

  /** Reads from one node, so that the answers are from one view of the chain. @throws RpcError */
  async readTransfers(wanted: readonly WantedTransfers[]): Promise<TransferRead[]> {
    if (wanted.length === 0) return [];
    return this.rpc.pinned(async (reads) => {
      const { head, receipts } = await reads.headAndReceipts(wanted.map(({ txHash }) => txHash));
      const heightOf = (at: number) => receipts[at]?.height ?? wanted[at]!.seenIn?.height;
      const heights = [...new Set(wanted.flatMap((_, at) => heightOf(at) ?? []))];
      const blocks = await blocksAt(reads, heights);
      return Promise.all(
        wanted.map(async (it, at): Promise<TransferRead> => {
          const [receipt, height] = [receipts[at], heightOf(at)];
          const block = height === undefined ? null : (blocks.get(height) ?? null);
          if (!receipt)
            return isStillThere(it.seenIn, block)
              ? unavailable
              : { kind: 'unmined', chainTimeMs: head.timestamp * 1_000 };
          // The value of the transaction is a transfer of the coin, and its data may contain a reference.
          const transaction = await reads.transaction(it.txHash);
          const isWhole = block?.hash === receipt.blockHash && transaction?.blockHash === receipt.blockHash;
          // The chain has advanced between the answers, or one of the nodes behind the URL lags.
          return isWhole ? minedTransfers(it, { head, block, receipt, transaction }) : unavailable;
        }),
      );
    });
  }
}

interface MinedTransaction {
  head: BlockRef;
  block: BlockRef;
  receipt: EvmReceipt;
  transaction: EvmTransaction;
}

function minedTransfers(
  { txHash, token, receiver }: WantedTransfers,
  { head, block, receipt, transaction }: MinedTransaction,
): MinedTransfers {
  const mined = {
    kind: 'mined',
    block: { height: block.height, hash: block.hash, timeMs: block.timestamp * 1_000 },
    confirmations: head.height - block.height + 1,
    isSuccessful: receipt.succeeded,
  } as const;
  if (!receipt.succeeded)
    return { ...mined, transfers: [], otherTransfers: [], paysOrder: false, reference: null };
  const coins = coinTransfers(transaction, receiver);
  const { address: contract } = token;
  return {
    ...mined,
    transfers: contract === null ? coins : tokenTransfers(receipt.logs, contract, receiver, txHash),
    otherTransfers: otherTransfers(receipt.logs, coins, { contract, receiver, txHash }),
    paysOrder: receipt.logs.some(({ topics }) => topics[0] === orderPaidTopic),
    reference: referenceIn(transaction, token.address, receiver),
  };
}

/**
 * Returns the reference in a `transfer` of the token, or in a transfer of the coin to the receiver. The payer has
 * signed its data, so a relayer or bundler cannot have added the reference. Calls of `transferWithAuthorization` and
 * `transferFrom` are excluded, because any account can send them.
 */
export function referenceIn(
  { to, data }: Pick<EvmTransaction, 'to' | 'data'>,
  tokenAddress: string | null,
  receiver: string,
): string | null {
  if (to !== (tokenAddress ?? receiver).toLowerCase()) return null;
  if (tokenAddress !== null && !data.startsWith(transferSelector)) return null;
  return idNamedAtEnd(data) ?? null;
}

/**
 * Whether the transaction may still be mined. A node that lacks the block, or its receipts, does not prove that the
 * transaction was dropped.
 */
function isStillThere(seenIn: WantedTransfers['seenIn'], block: BlockRef | null): boolean {
  return seenIn !== null && (block === null || block.hash === seenIn.hash);
}

async function blocksAt(reads: EvmReads, heights: number[]): Promise<Map<number, BlockRef | null>> {
  if (heights.length === 0) return new Map();
  const blocks = await reads.blocksAt(heights);
  return new Map(heights.map((height, at) => [height, blocks[at]!]));
}
