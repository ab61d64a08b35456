import type { MinedTransfers, TransferRead, TransferReader, WantedTransfers } from '@tollbridge/chain-port';
import { idNamedAtEnd, type EvmChain } from '@tollbridge/chains';
import type { EvmReads } from '../evm-reads';
import type { BlockRef, EvmReceipt, EvmTransaction } from '../evm-types';
import type { EvmRpc } from '../rpc-pool';
import { orderPaidTopic } from './order-paid';
import { coinTransfers, otherTransfers, tokenTransfers } from './token-transfers';

// `transfer(address,uint256)`: the only call that moves the caller's own tokens.
const transferSelector = '0xa9059cbb';

const unavailable: TransferRead = { kind: 'unavailable' };

/** Reads transfers on an EVM chain with nodes, also without a payment contract. Stateless. */
export class EvmTransferReader<C extends EvmChain = EvmChain> implements TransferReader {
  constructor(
    readonly chain: C,
    protected readonly rpc: EvmRpc,
  ) {}

  get pollIntervalMs(): number {
    return this.chain.pollIntervalMs;
  }

  /** From one node, so that the answers are of one view. @throws RpcError */
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
          // Its value is a transfer of the coin; its data may hold a reference.
          const transaction = await reads.transaction(it.txHash);
          const isWhole = block?.hash === receipt.blockHash && transaction?.blockHash === receipt.blockHash;
          // The chain has advanced between the answers, or a part of the node lags.
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
 * Only a `transfer` of the token, or of the coin to the receiver, names an id. The payer has signed its data, and no
 * relayer or bundler has added to it. Calls of `transferWithAuthorization` and `transferFrom` may come from any
 * account.
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

/** A node that lacks the block, or has it without its receipts, does not show that the transaction was dropped. */
function isStillThere(seenIn: WantedTransfers['seenIn'], block: BlockRef | null): boolean {
  return seenIn !== null && (block === null || block.hash === seenIn.hash);
}

async function blocksAt(reads: EvmReads, heights: number[]): Promise<Map<number, BlockRef | null>> {
  if (heights.length === 0) return new Map();
  const blocks = await reads.blocksAt(heights);
  return new Map(heights.map((height, at) => [height, blocks[at]!]));
}
