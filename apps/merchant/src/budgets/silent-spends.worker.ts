import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import {
  internalPayoutsApi,
  ordersApi,
  purchasesApi,
  snapshotsApi,
  type SpendKind,
} from '@tollbridge/contracts';
import { BusClient, callContext, DomainError } from '@tollbridge/rpc';
import { Clock, Database, transaction } from '@tollbridge/database';
import type { Logger } from '@tollbridge/observability';
import { OutboxWorker, PollingLoop, ServiceLogger } from '@tollbridge/bootstrap';
import { Budgets } from './budgets';
import { BudgetsRepository } from './budgets.repository';
import type { Spend } from './spend';
import {
  outcomeOfOrder,
  outcomeOfPayout,
  outcomeOfPurchase,
  outcomeOfSilentTransaction,
  type SpendOutcome,
} from './spend-outcome';

const lookEveryMs = 5_000;
const maxAtOnce = 20;
// What is under way still may take hours on a slow chain, and its end will be told.
const againAfterMs = 10 * 60_000;

type Ask = (client: BusClient, reference: string) => Promise<SpendOutcome>;

const context = () => callContext({ principal: 'budgets' });

const askOfPurchase: Ask = async (client, id) => {
  const { status } = await client.call(purchasesApi.operations.stateOfPurchase, { id }, context());
  return outcomeOfPurchase(status);
};

/** How the service that a kind of spend belongs to is asked what became of it. */
const asks: Partial<Record<SpendKind, Ask>> = {
  order: async (client, id) => {
    return outcomeOfOrder(await client.call(ordersApi.operations.getOrder, { id }, context()));
  },
  swap: async (client, transactionId) => {
    const update = await client.call(snapshotsApi.operations.snapshot, { transactionId }, context());
    return outcomeOfSilentTransaction(update);
  },
  purchase: askOfPurchase,
  topup: askOfPurchase,
  payout: async (client, id) => {
    const { state } = await client.call(internalPayoutsApi.operations.stateOfPayout, { id }, context());
    return outcomeOfPayout(state);
  },
};

/**
 * Asks about reservations of which nobody has said for long what became of them: who made one may have died before it
 * spent anything, or an event may have been lost. Only a service that answers releases one; silence is unknown.
 */
@Injectable()
export class SilentSpends implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly look: PollingLoop;

  constructor(
    private readonly client: BusClient,
    private readonly database: Database,
    private readonly repository: BudgetsRepository,
    private readonly budgets: Budgets,
    private readonly outbox: OutboxWorker,
    @Inject(Clock) private readonly clock: Clock,
    @Inject(ServiceLogger) private readonly logger: Logger,
  ) {
    const onError = (error: unknown) =>
      logger.warn({ err: error }, 'reservations could not be looked up; trying again');
    this.look = new PollingLoop(() => this.step(), lookEveryMs, onError);
  }

  onApplicationBootstrap(): void {
    this.look.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.look.stop();
  }

  async step(): Promise<'more' | 'done'> {
    const kinds = Object.keys(asks) as SpendKind[];
    const due = await this.repository.takeDue(kinds, this.clock.now(), againAfterMs, maxAtOnce);
    await Promise.all(due.map((spend) => this.lookUp(spend)));
    return due.length === maxAtOnce ? 'more' : 'done';
  }

  private async lookUp({ reference, kind, attempts }: Spend): Promise<void> {
    try {
      const outcome = await asks[kind]!(this.client, reference).catch(outcomeOfFailure);
      if (outcome === 'open') return;
      const status = await transaction(this.database.pool, (client) =>
        outcome === 'captured'
          ? this.budgets.capture(client, reference)
          : // A try that began meanwhile is not what was asked about.
            this.budgets.release(client, reference, {
              isStill: (spend) => isEqual(spend.attempts, attempts),
            }),
      );
      this.logger.info({ reference, kind, status }, 'a reservation that nobody had ended was looked up');
      this.outbox.wake();
    } catch (error) {
      this.logger.warn({ reference, kind, err: error }, 'a reservation could not be looked up; trying again');
    }
  }
}

const isEqual = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((attempt, at) => attempt === other[at]);

/** What was reserved for, and does not exist, was never made. */
function outcomeOfFailure(error: unknown): SpendOutcome {
  if (error instanceof DomainError && error.code === 'NOT_FOUND') return 'released';
  throw error;
}
