import { Inject, Injectable } from '@nestjs/common';
import { payoutEvents, type PayoutChanged, type PayoutUpdated } from '@tollbridge/contracts';
import type { EventEnvelope } from '@tollbridge/rpc';
import { Clock, Database, handleBatchOnce } from '@tollbridge/database';
import { EventConsumers, OutboxWorker } from '@tollbridge/bootstrap';
import { notifyMerchants } from '../webhooks/webhook-outbox';
import { Budgets, type SpendEnding } from './budgets';
import { validateChains } from '../chains/validate-chains';
import { outcomeOfPayout } from './spend-outcome';

/** Consumes payout events: ends the reservations of payouts, and notifies the wallets that pay. */
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
    this.consumer = consumers.open({
      purpose: 'payouts',
      events: [payoutEvents['payout-updated']],
      check: ({ data }) => validateChains(data, ['chain']),
      handle: (events) => this.handle(events),
    });
  }

  private async handle(events: readonly EventEnvelope<PayoutChanged>[]): Promise<void> {
    await handleBatchOnce(this.database.pool, this.consumer, events, async (fresh, client) => {
      const changes = fresh.map(({ data }) => data);
      const nowMs = this.clock.now();
      const messages = fresh.map(({ data, traceparent }) => ({
        wallet: data.wallet_address,
        type: 'payout.updated' as const,
        data: updateOf(data),
        nowMs,
        traceparent,
      }));
      await notifyMerchants(client, messages);
      await this.budgets.end(client, changes.flatMap(endingOf));
    });
    this.outbox.wake();
  }
}

/** Only the paid part of a reservation is captured. */
function endingOf({ payout_id: reference, status, paid_usd: paidUsd }: PayoutChanged): SpendEnding[] {
  const outcome = outcomeOfPayout(status);
  if (outcome === 'open') return [];
  return [{ reference, outcome, ...(outcome === 'captured' && paidUsd !== null && { valueUsd: paidUsd }) }];
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
