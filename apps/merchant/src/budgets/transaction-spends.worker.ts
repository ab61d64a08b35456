import { Inject, Injectable } from '@nestjs/common';
import { transactionEvents, type TransactionState, type TransactionUpdate } from '@tollbridge/api';
import type { EventEnvelope } from '@tollbridge/bus';
import { Clock, Database, handleOnce } from '@tollbridge/data';
import { EventConsumers, OutboxWorker } from '@tollbridge/service';
import { tellMerchant } from '../webhooks/webhook-outbox';
import { Budgets } from './budgets';
import { BudgetsRepository } from './budgets.repository';
import { outcomeOfTransaction } from './spend-outcome';

const webhookOf: Partial<Record<TransactionState, 'transaction.completed' | 'transaction.failed'>> = {
  completed: 'transaction.completed',
  failed: 'transaction.failed',
};

/** Hears what becomes of sets of transactions, ends what keys have reserved for them, and tells the keys' owners. */
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
    const handle = (event: EventEnvelope) => this.handle(event);
    this.consumer = consumers.open({
      source: 'tx-engine',
      purpose: 'transactions',
      event: transactionEvents['transaction-updated'],
      handle,
    });
  }

  /** A set ends once, and stays as it ended: whichever of its events comes first says the same. */
  private async handle(event: EventEnvelope): Promise<void> {
    const update = event.data as TransactionUpdate;
    const { transactionId, status } = update;
    const outcome = outcomeOfTransaction(update);
    // Most of them only count confirmations: there is nothing to do, and nothing to note.
    if (outcome === 'open') return;
    const type = webhookOf[status];
    await handleOnce(this.database.pool, this.consumer, event.id, async (client) => {
      // Whatever has ended the spend: a look-up may have been faster.
      const wallet = type && (await this.repository.ownerToTell(client, transactionId));
      if (type && wallet) await tellMerchant(client, { wallet, type, data: update, nowMs: this.clock.now() });
      if (outcome === 'captured') await this.budgets.capture(client, transactionId);
      else await this.budgets.release(client, transactionId);
    });
    this.outbox.wake();
  }
}
