import type {
  BlockRef,
  MinedTransfers,
  TransferRead,
  TransferReader,
  WantedTransfers,
} from '@tollbridge/chain-port';
import { gainIndex, maxOtherTransfers, type OtherTransfer } from '@tollbridge/chain-port';
import type { NodePool } from '@tollbridge/chain-nodes';
import type { ChainWithNodes, Token } from '@tollbridge/chains';
import { canonicalMoveType } from '@tollbridge/onchain/sui';
import type { SuiNode } from '../sui-node';
import { readTransactions } from '../transaction-reads';
import type { SuiTransaction } from '../wire';
import { isLikePayment } from './order-paid';

const suiCoin = '0x2::sui::SUI';

/** Returns the canonical coin type of a token. */
export const coinTypeOf = ({ address }: Pick<Token, 'address'>): string =>
  canonicalMoveType(address ?? suiCoin);

const unavailable: TransferRead = { kind: 'unavailable' };

/** Reads transfers on Sui, even without a payment package. Stateless. */
export class SuiTransferReader<C extends ChainWithNodes = ChainWithNodes> implements TransferReader {
  constructor(
    readonly chain: C,
    protected readonly rpc: Pick<NodePool<SuiNode>, 'ask'>,
  ) {}

  get pollIntervalMs(): number {
    return this.chain.pollIntervalMs;
  }

  /** Reads from one node and at one head. @throws ProviderError */
  async readTransfers(wanted: readonly WantedTransfers[]): Promise<TransferRead[]> {
    if (wanted.length === 0) return [];
    return this.rpc.ask(async (node) => {
      const digests = [...new Set(wanted.map(({ txHash }) => txHash))];
      const { head, transactions } = await readTransactions(node, digests);
      const byDigest = new Map(digests.map((digest, at) => [digest, transactions[at]!]));
      return wanted.map((it) => transferRead(it, byDigest.get(it.txHash) ?? null, head));
    });
  }
}

/**
 * Converts a transaction to its state. Checkpoints are final. A transaction from a checkpoint can only be missing if
 * the node lags or has pruned it.
 */
function transferRead(
  wanted: WantedTransfers,
  transaction: SuiTransaction | null,
  head: BlockRef,
): TransferRead {
  const checkpoint = transaction?.checkpoint;
  if (!transaction || !checkpoint)
    return wanted.seenIn === null ? { kind: 'unmined', chainTimeMs: head.timeMs } : unavailable;
  const isWhole =
    transaction.eventTypes.nextCursor === null && transaction.balanceChanges.nextCursor === null;
  const isSame = wanted.seenIn === null || wanted.seenIn.hash === checkpoint.hash;
  if (checkpoint.height > head.height || !isWhole || !isSame) return unavailable;
  return minedTransfers(wanted, transaction, { head, checkpoint });
}

function minedTransfers(
  { txHash, token, receiver }: WantedTransfers,
  { sender, succeeded, eventTypes, balanceChanges }: SuiTransaction,
  { head, checkpoint }: { head: BlockRef; checkpoint: BlockRef },
): MinedTransfers {
  const { height, hash, timeMs } = checkpoint;
  const mined = {
    kind: 'mined',
    block: { height, hash, timeMs },
    confirmations: head.height - height + 1,
    isSuccessful: succeeded,
    // A transaction on Sui has no memo.
    reference: null,
  } as const;
  if (!succeeded) return { ...mined, transfers: [], otherTransfers: [], paysOrder: false };
  const coinType = coinTypeOf(token);
  // Coins that the sender sends to itself are not a transfer. All coins of one type for a receiver count as one
  // transfer.
  const received = balanceChanges.items.filter(
    ({ owner, amountAtomic }) => owner === receiver && owner !== sender && amountAtomic > 0n,
  );
  const gained = (type: string): OtherTransfer => ({
    txHash,
    logIndex: gainIndex(receiver, type),
    from: sender,
    amountAtomic: received
      .filter((it) => it.coinType === type)
      .reduce((sum, it) => sum + it.amountAtomic, 0n),
    tokenAddress: type === coinTypeOf({ address: null }) ? null : type,
  });
  const types = [...new Set(received.map((it) => it.coinType))];
  const { tokenAddress: _, ...transfer } = gained(coinType);
  return {
    ...mined,
    transfers: transfer.amountAtomic > 0n ? [transfer] : [],
    otherTransfers: types
      .filter((type) => type !== coinType)
      .slice(0, maxOtherTransfers)
      .map(gained),
    paysOrder: eventTypes.items.some(isLikePayment),
  };
}
