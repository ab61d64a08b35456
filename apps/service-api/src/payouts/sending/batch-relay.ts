import { Inject, Injectable } from '@nestjs/common';
import { minedCount, type EvmReceipt } from '@tollbridge/evm';
import type { Logger } from '@tollbridge/observability';
import { OutboxWorker, ServiceLogger } from '@tollbridge/bootstrap';
import type { StoredPayout } from '../payout';
import { PayoutChains } from '../payout-chains';
import { PayoutsRepository } from '../payouts.repository';
import { linesOf, type Batch, type Sending } from './batch';
import { outcomeIn, topicsOf, type BatchOutcome } from './batch-outcome';
import { DueBatchesRepository, type DueBatch } from './due-batches.repository';
import { isNonceUsed } from './relay-chain';
import { RelayTransactions, type Poll } from './relay-transactions';
import { RelaysRepository, type Relay } from './relays.repository';
import type { BatchTerms } from './typed-data';

// Delay before the next attempt for a batch that cannot be sent now: the balance may rise, or the gas price fall.
const retryMs = 15_000;
// A revert costs gas. A payer that withdraws the money in the same block each time must not drain the relayer.
const mostReverted = 3;
const revertedOften = `it has reverted ${mostReverted} times: it is not sent again, but counts if another account relays it`;

/** Advances a batch as far as the chain allows. Each step is stored before the next and is idempotent. */
@Injectable()
export class BatchRelay {
  constructor(
    private readonly payouts: PayoutsRepository,
    private readonly batches: DueBatchesRepository,
    private readonly relays: RelaysRepository,
    private readonly transactions: RelayTransactions,
    private readonly chains: PayoutChains,
    private readonly outbox: OutboxWorker,
    @Inject(ServiceLogger) private readonly logger: Logger,
  ) {}

  /** @throws RpcError when the chain does not answer: nothing changes */
  async follow(due: DueBatch): Promise<void> {
    const poll = await this.read(due);
    if (poll?.batch.status === 'ready') await this.send(poll);
    else if (poll?.batch.status === 'sending') await this.watch(poll);
  }

  private async read(due: DueBatch): Promise<Poll | undefined> {
    const payout = await this.payouts.find(due.payoutId);
    const place = payout && this.chains.find(payout.chain);
    if (!payout?.sending || !place) throw new Error('the chain of a batch is not configured');
    const batch = payout.sending.batches[due.index]!;
    const terms = termsOf({ ...payout, sending: payout.sending }, batch, place.chain.chainId);
    return { due, payout: { ...payout, sending: payout.sending }, batch, terms, place };
  }

  private async send(poll: Poll): Promise<void> {
    const { due, place } = poll;
    if ((await this.relays.noncesOf(due)) >= mostReverted) return this.decide(poll, null, revertedOften);
    const sent = await this.transactions.send(poll);
    switch (sent.outcome) {
      case 'fails':
        return this.decide(poll, null, sent.reason);
      case 'waits':
        return this.batches.postpone(due, retryMs, sent.reason);
      case 'sent':
        return this.batches.postpone(due, place.chain.pollIntervalMs);
      case 'taken':
        return;
    }
  }

  private async watch(poll: Poll): Promise<void> {
    const { due, place } = poll;
    const { rpc, chain } = place;
    const relays = await this.relays.relaysOf(due);
    const { head, receipts } = await rpc.headAndReceipts(relays.map(({ hash }) => hash));
    const receipt = receipts.find((it) => it !== null);
    if (!receipt) return this.resend(poll, relays, head.height);
    if (head.height - receipt.height + 1 < chain.confirmations)
      return this.batches.postpone(due, chain.pollIntervalMs);
    const outcome = this.outcomeOf(poll, receipt);
    if (outcome) return this.paid(poll, outcome);
    return this.decide(poll, relays[0]!.nonce, 'its transaction reverted');
  }

  /** Handles a batch that is not mined: pending, dropped, underpriced, or its nonce was used by another transaction. */
  private async resend(poll: Poll, relays: readonly Relay[], head: number): Promise<void> {
    const { due, place } = poll;
    const { rpc, chain } = place;
    const [newest, { nonce }] = [relays.at(-1)!, relays[0]!];
    const final = Math.max(0, head - chain.confirmations + 1);
    if ((await minedCount(rpc, newest.relayer, final)) > nonce) {
      this.logger.error(
        { payoutId: due.payoutId, batch: due.index, nonce },
        'relayer nonce used by an unknown transaction, key used elsewhere',
      );
      return this.decide(poll, nonce, 'the relayer sent something else in its place');
    }
    await this.transactions.resend(poll, newest);
    return this.batches.postpone(due, chain.pollIntervalMs);
  }

  /**
   * Decides about a batch that the relayer cannot pay now. Another account has paid it, it fails for good, or it is
   * retried. Reads final blocks only.
   * @param nonce the number of nonces of the relayer that final blocks have consumed; null without a nonce
   */
  private async decide(poll: Poll, nonce: number | null, reason: string): Promise<void> {
    const { due, payout, place, terms } = poll;
    const { rpc, chain } = place;
    const head = await rpc.head();
    const height = Math.max(0, head.height - chain.confirmations + 1);
    if (await isNonceUsed(rpc, payout.wallet, terms, height)) {
      const outcome = await this.findPaid(poll, height);
      if (outcome) return this.paid(poll, outcome);
      return this.failed(poll, 'the wallet has used or cancelled this permission on the chain');
    }
    const final = await rpc.blockByNumber(height);
    if (final && final.timestamp > terms.deadline)
      return this.failed(poll, `${reason}, and its signatures have expired`);
    if (nonce === null) return this.batches.postpone(due, retryMs, reason);
    return this.batches.releaseNonce(due, nonce, retryMs, reason);
  }

  /** Any account may relay a signed batch, so another transaction may contain the event. */
  private async findPaid(poll: Poll, toBlock: number): Promise<BatchOutcome | undefined> {
    const { due, payout, terms, place } = poll;
    const fromBlock = Math.min(await this.batches.fromHeight(due.payoutId), toBlock);
    const topics = topicsOf(terms, payout.wallet);
    const address = terms.contract.toLowerCase();
    const events = await place.rpc.logs({ address, topics, fromBlock, toBlock });
    for (const { txHash } of events) {
      const receipt = await place.rpc.receipt(txHash);
      const outcome = receipt && this.outcomeOf(poll, receipt);
      if (outcome) return outcome;
      // This node is behind the node that returned the event.
      if (!receipt) throw new Error(`the node has no receipt of ${txHash}, the transaction of an event`);
    }
    return undefined;
  }

  private outcomeOf({ terms, payout }: Poll, { succeeded, logs }: EvmReceipt): BatchOutcome | undefined {
    return succeeded ? outcomeIn(logs, terms, payout.wallet) : undefined;
  }

  private async paid({ due, batch }: Poll, outcome: BatchOutcome): Promise<void> {
    await this.batches.paid(due, batch.firstPlace, outcome);
    this.outbox.wake();
  }

  private async failed({ due }: Poll, reason: string): Promise<void> {
    await this.batches.failed(due, reason);
    this.logger.warn({ payoutId: due.payoutId, batch: due.index, reason }, 'payout batch failed');
    this.outbox.wake();
  }
}

export function termsOf(
  { id, plan, sending }: StoredPayout & { sending: Sending },
  batch: Batch,
  chainId: number,
): BatchTerms {
  const { tokenAddress, contract, deadline } = sending;
  const { index, totalAtomic, feeAtomic } = batch;
  const lines = linesOf(plan, batch);
  return { payoutId: id, index, chainId, contract, tokenAddress, lines, totalAtomic, feeAtomic, deadline };
}
