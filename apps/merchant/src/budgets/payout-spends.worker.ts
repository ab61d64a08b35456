import { Inject, Injectable } from '@nestjs/common';
import { payoutEvents, type PayoutChanged, type PayoutUpdated } from '@tollbridge/api';
import type { EventEnvelope } from '@tollbridge/bus';
import { Clock, Database, handleOnce } from '@tollbridge/data';
import { EventConsumers, OutboxWorker } from '@tollbridge/service';
import { tellMerchant } from '../webhooks/webhook-outbox';
import { Budgets } from './budgets';
import { outcomeOfPayout } from './spend-outcome';

/** Hears how far payouts are, ends what keys have reserved for them, and tells who pays. */
@Injectable()
export class PayoutSpends {
  private readonly consumer: string;

  constructor(
    consumers: EventConsumers,
    private readonly database: Database,
    private readonly budgets: Budgets,
    private readonly outbox: OutboxWorker,
    @Inject(Clock) private readonly clock: Clock,
  ) {
    const handle = (event: EventEnvelope) => this.handle(event);
    this.consumer = consumers.open({
      source: 'service-api',
      purpose: 'payouts',
      event: payoutEvents['payout-updated'],
      handle,
    });
  }

  private async handle(event: EventEnvelope): Promise<void> {
    const change = event.data as PayoutChanged;
    const { payout_id: id, status, wallet_address: wallet, paid_usd: paidUsd } = change;
    const outcome = outcomeOfPayout(status);
    await handleOnce(this.database.pool, this.consumer, event.id, async (client) => {
      const told = {
        wallet,
        type: 'payout.updated',
        data: updateOf(change),
        nowMs: this.clock.now(),
      } as const;
      await tellMerchant(client, told);
      // Of what was reserved only what was paid counts.
      if (outcome === 'captured')
        await this.budgets.capture(client, id, paidUsd === null ? {} : { valueUsd: paidUsd });
      if (outcome === 'released') await this.budgets.release(client, id);
    });
    this.outbox.wake();
  }
}

const updateOf = (change: PayoutChanged): PayoutUpdated => ({
  payout_id: change.payout_id,
  status: change.status,
  chain: change.chain,
  token: change.token,
  total_amount: change.total_amount,
  fee_amount: change.fee_amount,
  recipient_count: change.recipient_count,
  paid_count: change.paid_count,
});
