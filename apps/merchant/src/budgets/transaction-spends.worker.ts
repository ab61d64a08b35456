import { Inject, Injectable } from '@nestjs/common';
import { transactionEvents, type TransactionState, type TransactionUpdate } from '@tollbridge/contracts';
import type { EventEnvelope } from '@tollbridge/rpc';
import { Clock, Database, handleBatchOnce, type TransactionClient } from '@tollbridge/database';
import { EventConsumers, OutboxWorker } from '@tollbridge/bootstrap';
import { tellMerchants } from '../webhooks/webhook-outbox';
import { Budgets, type SpendEnding } from './budgets';
import { BudgetsRepository } from './budgets.repository';
import { outcomeOfTransaction } from './spend-outcome';

const webhookOf: Partial<Record<TransactionState, 'transaction.completed' | 'transaction.failed'>> = {
  completed: 'transaction.completed',
  failed: 'transaction.failed',
};

/** Consumes what becomes of sets of transactions, ends what keys have reserved for them, and notifies the keys' owners. */
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

  /** A set ends once, and stays as it ended: whichever of its events comes first says the same. */
  private async handle(events: readonly EventEnvelope<TransactionUpdate>[]): Promise<void> {
    // Most of them only count confirmations: they change nothing, and need no record.
    const ended = events.filter(({ data }) => outcomeOfTransaction(data) !== 'open');
    await handleBatchOnce(this.database.pool, this.consumer, ended, async (fresh, client) => {
      const updates = fresh.map(({ data }) => data);
      // Whatever has ended the spend: a look-up may have been faster.
      await this.notifyOwners(client, updates);
      await this.budgets.end(client, updates.flatMap(endingOf));
    });
    if (ended.length > 0) this.outbox.wake();
  }

  private async notifyOwners(
    client: TransactionClient,
    updates: readonly TransactionUpdate[],
  ): Promise<void> {
    const told = new Map<string, TransactionUpdate>();
    for (const update of updates)
      if (webhookOf[update.status] && !told.has(update.transactionId)) told.set(update.transactionId, update);
    if (told.size === 0) return;
    const owners = await this.repository.ownersToTell(client, [...told.keys()]);
    const nowMs = this.clock.now();
    const messages = [...told.values()].flatMap((data) => {
      const wallet = owners.get(data.transactionId);
      return wallet ? [{ wallet, type: webhookOf[data.status]!, data, nowMs }] : [];
    });
    await tellMerchants(client, messages);
  }
}

function endingOf(update: TransactionUpdate): SpendEnding[] {
  const outcome = outcomeOfTransaction(update);
  return outcome === 'open' ? [] : [{ reference: update.transactionId, outcome }];
}
