import { Inject, Injectable } from '@nestjs/common';
import { purchaseEvents, type PurchaseChanged, type PurchaseStatus } from '@tollbridge/api';
import type { EventEnvelope } from '@tollbridge/bus';
import { Clock, Database, handleOnce } from '@tollbridge/data';
import { EventConsumers, OutboxWorker } from '@tollbridge/service';
import { tellMerchant } from '../webhooks/webhook-outbox';
import { Budgets } from './budgets';
import { outcomeOfPurchase } from './spend-outcome';

/** What was refused at once is known to who asked. */
const webhookOf: Partial<Record<PurchaseStatus, 'purchase.completed' | 'purchase.failed'>> = {
  completed: 'purchase.completed',
  failed: 'purchase.failed',
  refunded: 'purchase.failed',
};

/** Hears what becomes of purchases, ends what keys have reserved for them, and tells who bought. */
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
    const handle = (event: EventEnvelope) => this.handle(event);
    this.consumer = consumers.open({
      source: 'service-api',
      purpose: 'purchases',
      event: purchaseEvents['purchase-changed'],
      handle,
    });
  }

  private async handle(event: EventEnvelope): Promise<void> {
    const change = event.data as PurchaseChanged;
    const { purchase_id: id, status, wallet_address: wallet, value_usd: valueUsd } = change;
    const outcome = outcomeOfPurchase(status);
    if (outcome === 'open') return;
    const type = webhookOf[status];
    await handleOnce(this.database.pool, this.consumer, event.id, async (client) => {
      if (type) await tellMerchant(client, { wallet, type, data: change, nowMs: this.clock.now() });
      // What was reserved is what it may cost at most, as far as that was known.
      const cost = valueUsd === null ? {} : { valueUsd };
      if (outcome === 'captured') return void (await this.budgets.capture(client, id, cost));
      // What was given up and sold all the same is told of twice, in any order: sold stays sold.
      await this.budgets.release(client, id, { isStill: (spend) => spend.status === 'reserved' });
    });
    this.outbox.wake();
  }
}
