import { Inject, Injectable } from '@nestjs/common';
import { transactionEvents, type TransactionState, type TransactionUpdate } from '@tollbridge/contracts';
import type { EventEnvelope } from '@tollbridge/rpc';
import { Clock, Database, handleBatchOnce, type TransactionClient } from '@tollbridge/database';
import { EventConsumers, OutboxWorker } from '@tollbridge/bootstrap';
import { notifyMerchants } from '../webhooks/webhook-outbox';
import { Budgets, type SpendEnding } from './budgets';
import { BudgetsRepository } from './budgets.repository';
import { outcomeOfTransaction } from './spend-outcome';

/** Webhooks notify of completed and failed sets only. */
const webhookOf: Partial<Record<TransactionState, 'transaction.completed' | 'transaction.failed'>> = {
  completed: 'transaction.completed',
  failed: 'transaction.failed',
};

/** Consumes events of transaction sets: ends the reservations, and notifies the owners of the keys. */
@Injectable()
export class TransactionSpends {
  private readonly consumer: string;

  constructor(
    consumers: EventConsumers,
    private readonly database: Database,
    private readonly budgets: Budgets,
    private readonly repository: BudgetsRepository,
    private readonly outbox: OutboxWorker,
    @Inject(Clock) private readonly clock: Clock,
  ) {
    this.consumer = consumers.open({
      purpose: 'transactions',
      events: [transactionEvents['transaction-updated']],
      handle: (events) => this.handle(events),
    });
  }

  /** A set ends once, so its final events may be handled in any order. */
  private async handle(events: readonly EventEnvelope<TransactionUpdate>[]): Promise<void> {
    // Most events only count confirmations. They change nothing here, and need no inbox row.
    const ended = events.filter(({ data }) => outcomeOfTransaction(data) !== 'open');
    await handleBatchOnce(this.database.pool, this.consumer, ended, async (fresh, client) => {
      const updates = fresh.map(({ data }) => data);
      // Notify even when reconciliation has ended the spend already.
      await this.notifyOwners(client, fresh);
      await this.budgets.end(client, updates.flatMap(endingOf));
    });
    if (ended.length > 0) this.outbox.wake();
  }

  private async notifyOwners(
    client: TransactionClient,
    events: readonly EventEnvelope<TransactionUpdate>[],
  ): Promise<void> {
    const ended = new Map<string, EventEnvelope<TransactionUpdate>>();
    for (const event of events)
      if (webhookOf[event.data.status] && !ended.has(event.data.transactionId))
        ended.set(event.data.transactionId, event);
    if (ended.size === 0) return;
    const owners = await this.repository.ownersToNotify(client, [...ended.keys()]);
    const nowMs = this.clock.now();
    const messages = [...ended.values()].flatMap(({ data, traceparent }) => {
      const wallet = owners.get(data.transactionId);
      return wallet ? [{ wallet, type: webhookOf[data.status]!, data, nowMs, traceparent }] : [];
    });
    await notifyMerchants(client, messages);
  }
}

function endingOf(update: TransactionUpdate): SpendEnding[] {
  const outcome = outcomeOfTransaction(update);
  return outcome === 'open' ? [] : [{ reference: update.transactionId, outcome }];
}
