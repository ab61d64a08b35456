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
import { OutboxWorker, PollingLoop, ServiceLogger, type PollResult } from '@tollbridge/bootstrap';
import { Budgets } from './budgets';
import { BudgetsRepository } from './budgets.repository';
import type { Spend } from './spend';
import {
  outcomeOfOrder,
  outcomeOfPayout,
  outcomeOfPurchase,
  outcomeOfStaleTransaction,
  type SpendOutcome,
} from './spend-outcome';

const pollEveryMs = 5_000;
const maxAtOnce = 20;
// A purchase may take hours on a slow chain. Its end is published as an event, so frequent checks are not needed.
const recheckAfterMs = 10 * 60_000;

type OutcomeLookup = (client: BusClient, reference: string) => Promise<SpendOutcome>;

const context = () => callContext({ principal: 'budgets' });

const outcomeOfPurchaseId: OutcomeLookup = async (client, id) => {
  const { status } = await client.call(purchasesApi.operations.stateOfPurchase, { id }, context());
  return outcomeOfPurchase(status);
};

/** Reads the outcome of each kind of spend from the service that owns it. */
const lookups: Partial<Record<SpendKind, OutcomeLookup>> = {
  order: async (client, id) => {
    return outcomeOfOrder(await client.call(ordersApi.operations.getOrder, { id }, context()));
  },
  swap: async (client, transactionId) => {
    const update = await client.call(snapshotsApi.operations.snapshot, { transactionId }, context());
    return outcomeOfStaleTransaction(update);
  },
  purchase: outcomeOfPurchaseId,
  topup: outcomeOfPurchaseId,
  payout: async (client, id) => {
    const { state } = await client.call(internalPayoutsApi.operations.stateOfPayout, { id }, context());
    return outcomeOfPayout(state);
  },
};

/**
 * Reconciles reservations with an unknown outcome, for example after a crash or a lost event. Only a reply of the
 * owning service releases a reservation; without a reply, the outcome stays unknown.
 */
@Injectable()
export class SpendReconciliation implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly polling: PollingLoop;

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
      logger.warn({ err: error }, 'reservation reconciliation failed, retrying');
    this.polling = new PollingLoop(() => this.step(), pollEveryMs, onError);
  }

  onApplicationBootstrap(): void {
    this.polling.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.polling.stop();
  }

  async step(): Promise<PollResult> {
    const kinds = Object.keys(lookups) as SpendKind[];
    const due = await this.repository.takeDue(kinds, this.clock.now(), recheckAfterMs, maxAtOnce);
    await Promise.all(due.map((spend) => this.reconcile(spend)));
    return { kind: due.length === maxAtOnce ? 'more' : 'done' };
  }

  private async reconcile({ reference, kind, attempts }: Spend): Promise<void> {
    try {
      const outcome = await lookups[kind]!(this.client, reference).catch(outcomeOfFailure);
      if (outcome === 'open') return;
      const status = await transaction(this.database.pool, (client) =>
        outcome === 'captured'
          ? this.budgets.capture(client, reference)
          : // The lookup does not cover an attempt that began after it.
            this.budgets.release(client, reference, {
              isStill: (spend) => isEqual(spend.attempts, attempts),
            }),
      );
      this.logger.info({ reference, kind, status }, 'reservation reconciled');
      this.outbox.wake();
    } catch (error) {
      this.logger.warn({ reference, kind, err: error }, 'reservation lookup failed, retrying');
    }
  }
}

const isEqual = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((attempt, at) => attempt === other[at]);

/** The service has no such purchase, so it was never made. */
function outcomeOfFailure(error: unknown): SpendOutcome {
  if (error instanceof DomainError && error.code === 'NOT_FOUND') return 'released';
  throw error;
}
