import { Inject, Injectable } from '@nestjs/common';
import { ServiceLogger } from '@tollbridge/bootstrap';
import { Clock } from '@tollbridge/database';
import {
  broadcast,
  estimateGas,
  minedCount,
  raisedFees,
  readGasPrice,
  type BlockRef,
  type EvmReceipt,
} from '@tollbridge/evm';
import type { Logger } from '@tollbridge/observability';
import { FacilitatorAccount, type SettlementPlace } from './facilitator-account';
import type { Settlement, SettlementTransaction } from '../settlement';
import { FacilitatorLimits } from '../limits';
import { SettlementsRepository } from '../settlements.repository';
import { isPaidBy, paidElsewhere } from './payment-proof';

interface Look {
  settlement: Settlement;
  place: SettlementPlace;
  head: BlockRef;
  sent: readonly SettlementTransaction[];
}

// A transaction that is in no block after this time is replaced at a higher price.
const raiseAfterMs = 30_000;
// The gas limit of a transfer of 0 to its sender, which cancels a transaction. Rollups need more than 21,000.
const mostCancelGas = 200_000n;

/**
 * Reads the outcome of settlements from the chain and advances them. Each step is stored before the next, and can be
 * repeated.
 */
@Injectable()
export class EvmFollower {
  constructor(
    private readonly settlements: SettlementsRepository,
    private readonly account: FacilitatorAccount,
    private readonly limits: FacilitatorLimits,
    @Inject(Clock) private readonly clock: Clock,
    @Inject(ServiceLogger) private readonly logger: Logger,
  ) {}

  /** @throws RpcError when the chain does not answer; nothing changes, so retry */
  async follow(settlement: Settlement): Promise<void> {
    const place = this.account.find(settlement.network);
    if (!place) throw new Error('the chain of a settlement is not configured');
    const sent = await this.settlements.transactionsOf(settlement);
    const { head, receipts } = await place.rpc.headAndReceipts(sent.map(({ hash }) => hash));
    const look = { settlement, place, head, sent };
    const receipt = receipts.find((it) => it !== null);
    if (!receipt) return this.missing(look);
    const confirmations = head.height - receipt.height + 1;
    if (isPaidBy(settlement, receipt)) return this.paid(look, receipt, confirmations);
    // A reorganisation may drop the failure as well, and the seller would not deliver. So only a final failure counts.
    if (confirmations < place.chain.confirmations) return this.later(look);
    const cancelled = sent.some(({ hash, kind }) => hash === receipt.txHash && kind === 'cancel');
    if (cancelled) return this.unpaid(look, 'authorization_expired');
    return this.unpaid(look, receipt.succeeded ? 'transfer_event_mismatch' : 'transaction_reverted');
  }

  private async paid(look: Look, { txHash }: EvmReceipt, confirmations: number): Promise<void> {
    const { settlement, place } = look;
    if (confirmations >= place.chain.confirmations) {
      await this.settlements.transition(settlement, 'finalised', { txHash });
      return;
    }
    const isEnough = confirmations >= this.limits.confirmations;
    const isSeen = settlement.state === 'sent' && isEnough;
    if (isSeen) await this.settlements.transition(settlement, 'seen', { txHash });
    return this.later(look);
  }

  /**
   * The transaction is in no block: it is pending, dropped, reorged or underpriced, or another transaction used its
   * nonce.
   */
  private async missing(look: Look): Promise<void> {
    const { settlement, place, head, sent } = look;
    if (settlement.state === 'settled') {
      await this.settlements.transition(settlement, 'reorged');
      this.logger.warn(aboutOf(settlement), 'settlement dropped by a reorganisation, sending it again');
    }
    if ((await minedCount(place.rpc, settlement.sender, finalHeight(place, head))) > nonceOf(settlement)) {
      this.logger.error(aboutOf(settlement), 'facilitator nonce used by an unknown transaction');
      return this.unpaid(look, 'transaction_replaced');
    }
    const newest = sent.at(-1)!;
    const next = await this.replacement(look, newest);
    await broadcast(place.rpc, (next ?? newest).raw);
    return this.later(look);
  }

  /**
   * The same transaction with higher fees. After the end of the authorisation, a transaction that only uses its nonce.
   */
  private async replacement(
    { settlement, place, head }: Look,
    newest: SettlementTransaction,
  ): Promise<{ raw: string } | undefined> {
    const isExpired = head.timestamp > settlement.validBefore;
    const isDue = this.clock.now() - newest.createdAtMs >= raiseAfterMs;
    const kind = isExpired ? 'cancel' : 'settle';
    // The key has been replaced, so this transaction cannot be replaced.
    if (settlement.sender !== this.account.address || (!isDue && kind === newest.kind)) return undefined;
    const { rpc, chain } = place;
    const call = isExpired
      ? { to: settlement.sender, data: '0x' }
      : { to: settlement.to, data: settlement.data };
    const gasLimit = isExpired ? await this.cancelGas(place) : newest.gasLimit;
    const price = await readGasPrice(rpc);
    const fees = raisedFees(newest.fees, price, this.account.boundsOf(gasLimit));
    if (!fees) return undefined;
    const isLegacy = price.baseFeePerGas === null;
    const relay = { ...call, chainId: chain.chainId, gasLimit, fees, isLegacy };
    const signed = await this.account.sign(relay, nonceOf(settlement));
    return (await this.settlements.replace(settlement, kind, signed)) ? signed : undefined;
  }

  private async cancelGas({ rpc }: SettlementPlace): Promise<bigint> {
    const { address } = this.account;
    const tried = await estimateGas(rpc, { from: address, to: address, data: '0x' });
    const wanted = 'gasUnits' in tried ? (tried.gasUnits * 11n) / 10n : mostCancelGas;
    return wanted < mostCancelGas ? wanted : mostCancelGas;
  }

  /** Handles a final transaction that did not pay. Another account may have sent the same authorisation before it. */
  private async unpaid({ settlement, place, head }: Look, reason: string): Promise<void> {
    for (const txHash of await paidElsewhere(place.rpc, settlement, finalHeight(place, head)))
      if (await this.settlements.transition(settlement, 'finalised', { txHash })) return;
    await this.settlements.transition(settlement, 'failed', { reason });
    const about = { ...aboutOf(settlement), reason };
    if (settlement.answeredTo !== null)
      this.logger.error(about, 'settlement lost by a reorganisation after it was answered as successful');
    else this.logger.warn(about, 'settlement failed');
  }

  private later({ settlement, place }: Look): Promise<void> {
    return this.settlements.postpone(settlement, place.chain.pollIntervalMs);
  }
}

function nonceOf({ id, senderNonce }: Settlement): number {
  if (senderNonce === null) throw new Error(`the settlement ${id} has no nonce`);
  return senderNonce;
}

const finalHeight = ({ chain }: SettlementPlace, head: BlockRef): number =>
  Math.max(0, head.height - chain.confirmations + 1);

const aboutOf = ({ id, network, txHash }: Settlement) => ({ settlementId: id, network, txHash });
