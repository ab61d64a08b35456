import { Inject, Injectable } from '@nestjs/common';
import { purchaseEvents, type PurchaseChanged, type PurchaseStatus } from '@tollbridge/contracts';
import type { EventEnvelope } from '@tollbridge/rpc';
import { Clock, Database, handleBatchOnce } from '@tollbridge/database';
import { EventConsumers, OutboxWorker } from '@tollbridge/bootstrap';
import { notifyMerchants } from '../webhooks/webhook-outbox';
import { Budgets, type SpendEnding } from './budgets';
import { outcomeOfPurchase } from './spend-outcome';

/** A rejected purchase needs no webhook, since the reply to the request contains the outcome. */
const webhookOf: Partial<Record<PurchaseStatus, 'purchase.completed' | 'purchase.failed'>> = {
  completed: 'purchase.completed',
  failed: 'purchase.failed',
  refunded: 'purchase.failed',
};

/** Consumes purchase events: ends the reservations of purchases, and notifies the wallets that buy. */
@Injectable()
export class PurchaseSpends {
  private readonly consumer: string;

  constructor(
    consumers: EventConsumers,
    private readonly database: Database,
    private readonly budgets: Budgets,
    private readonly outbox: OutboxWorker,
    @Inject(Clock) private readonly clock: Clock,
  ) {
    this.consumer = consumers.open({
      purpose: 'purchases',
      events: [purchaseEvents['purchase-changed']],
      handle: (events) => this.handle(events),
    });
  }

  private async handle(events: readonly EventEnvelope<PurchaseChanged>[]): Promise<void> {
    const ended = events.filter(({ data }) => outcomeOfPurchase(data.status) !== 'open');
    await handleBatchOnce(this.database.pool, this.consumer, ended, async (fresh, client) => {
      const changes = fresh.map(({ data }) => data);
      const nowMs = this.clock.now();
      const messages = fresh.flatMap(({ data, traceparent }) => {
        const type = webhookOf[data.status];
        return type ? [{ wallet: data.wallet_address, type, data, nowMs, traceparent }] : [];
      });
      await notifyMerchants(client, messages);
      await this.budgets.end(client, changes.flatMap(endingOf));
    });
    if (ended.length > 0) this.outbox.wake();
  }
}

function endingOf({ purchase_id: reference, status, value_usd: valueUsd }: PurchaseChanged): SpendEnding[] {
  const outcome = outcomeOfPurchase(status);
  if (outcome === 'open') return [];
  // The reserved value was the highest possible price of the purchase.
  if (outcome === 'captured') return [{ reference, outcome, ...(valueUsd !== null && { valueUsd }) }];
  // A purchase can complete although it was cancelled. Its two events arrive in any order, and the capture prevails.
  return [{ reference, outcome, isStill: (spend) => spend.status === 'reserved' }];
}
