import { transfersTo, type SolanaNode, type SolanaTransaction } from '@tollbridge/solana';
import type { Logger } from '@tollbridge/observability';
import type { FacilitatorLimits } from '../limits';
import type { Settlement } from '../settlement';
import type { SettlementsRepository } from '../settlements.repository';
import type { SolanaPlace } from './fee-payer';

/** The observation of a settlement by one node. */
interface Look {
  head: number;
  finalized: number;
  transaction: SolanaTransaction | null;
  /** Whether no block can contain the transaction any more. */
  isExpired: boolean;
}

/**
 * Reads the outcome of settlements from the chain and advances them. Each step is stored before the next, and can be
 * repeated.
 */
export class SolanaFollower {
  constructor(
    private readonly settlements: SettlementsRepository,
    private readonly limits: FacilitatorLimits,
    private readonly logger: Logger,
  ) {}

  /** @throws ProviderError when the chain does not answer; nothing changes, so retry */
  async follow(settlement: Settlement, place: SolanaPlace): Promise<void> {
    const look = await place.rpc.ask((node) => lookAt(node, settlement));
    const { transaction, finalized } = look;
    if (!transaction) return this.missing(settlement, place, look);
    const isFinal = transaction.slot <= finalized;
    if (isPaidBy(settlement, transaction)) return this.paid(settlement, place, look, transaction.slot);
    // A fork may still drop the failure, so only a final failure counts.
    if (!isFinal) return this.later(settlement, place);
    return this.failed(
      settlement,
      transaction.isSuccessful ? 'transfer_event_mismatch' : 'transaction_failed',
    );
  }

  private async paid(
    settlement: Settlement,
    place: SolanaPlace,
    { head, finalized }: Look,
    slot: number,
  ): Promise<void> {
    const { txHash } = settlement;
    if (slot <= finalized) {
      await this.settlements.transition(settlement, 'finalised', { txHash });
      return;
    }
    const isEnough = head - slot + 1 >= this.limits.confirmations;
    if (settlement.state === 'sent' && isEnough)
      await this.settlements.transition(settlement, 'seen', { txHash });
    return this.later(settlement, place);
  }

  /**
   * The transaction is in no block: it is in transit, or dropped by the cluster, which accepts a transaction for about
   * a minute.
   */
  private async missing(settlement: Settlement, place: SolanaPlace, { isExpired }: Look): Promise<void> {
    if (settlement.state === 'settled') {
      await this.settlements.transition(settlement, 'reorged');
      this.logger.warn(aboutOf(settlement), 'settlement dropped by a fork, sending it again');
    }
    if (isExpired) return this.failed(settlement, 'authorization_expired');
    const [signed] = await this.settlements.transactionsOf(settlement);
    const wire = Buffer.from(signed!.raw, 'base64');
    // A failed transaction also costs the fee, and its payer may have moved the money since the claim.
    if ((await place.rpc.ask((node) => node.simulate(wire))) === null)
      await place.rpc.ask((node) => node.send(wire));
    return this.later(settlement, place);
  }

  private async failed(settlement: Settlement, reason: string): Promise<void> {
    await this.settlements.transition(settlement, 'failed', { reason });
    const about = { ...aboutOf(settlement), reason };
    if (settlement.answeredTo !== null)
      this.logger.error(about, 'settlement lost by a reorganisation after it was answered as successful');
    else this.logger.warn(about, 'settlement failed');
  }

  private later(settlement: Settlement, { chain }: SolanaPlace): Promise<void> {
    return this.settlements.postpone(settlement, chain.pollIntervalMs);
  }
}

async function lookAt(node: SolanaNode, { txHash, validBefore, sinceHeight }: Settlement): Promise<Look> {
  // Read first, because a block that is added meanwhile must not count as the last one without the transaction.
  const height = await node.blockHeight('finalized');
  const [head, finalized, transaction] = await Promise.all([
    node.slot(),
    node.slot('finalized'),
    node.transaction(txHash),
  ]);
  const isOver = !transaction && height > validBefore && !(await node.isKnown(txHash));
  // A node without the history proves nothing.
  if (isOver && (await node.firstAvailableSlot()) > sinceHeight)
    throw node.lacks(`the blocks from slot ${sinceHeight}`);
  return { head, finalized, transaction, isExpired: isOver };
}

/** Whether the token moved exactly the amount to the receiver. */
function isPaidBy({ token, payTo, amountAtomic }: Settlement, transaction: SolanaTransaction): boolean {
  const transfers = transfersTo(transaction, token, payTo);
  return transfers.some((transfer) => transfer.amountAtomic === amountAtomic);
}

const aboutOf = ({ id, network, txHash }: Settlement) => ({ settlementId: id, network, txHash });
