import { Controller } from '@nestjs/common';
import {
  budgetsApi,
  type CaptureRequest,
  type ReleaseRequest,
  type ReserveReply,
  type ReserveRequest,
  type SpendReply,
} from '@tollbridge/api';
import { DomainError, Handles, type CallContext } from '@tollbridge/bus';
import { Database, transaction } from '@tollbridge/data';
import { OutboxWorker } from '@tollbridge/service';
import { Budgets } from './budgets';

/** What the services ask that spend on behalf of a key. */
@Controller()
@Handles(budgetsApi)
export class BudgetsHandlers {
  constructor(
    private readonly budgets: Budgets,
    private readonly database: Database,
    private readonly outbox: OutboxWorker,
  ) {}

  async reserve(request: ReserveRequest, context: CallContext): Promise<ReserveReply> {
    return this.budgets.reserve(request, context);
  }

  async capture({ reference, valueUsd }: CaptureRequest, context: CallContext): Promise<SpendReply> {
    const value = valueUsd === undefined ? {} : { valueUsd };
    const status = await transaction(this.database.pool, (client) =>
      this.budgets.capture(client, reference, { context, ...value }),
    );
    if (!status) throw new DomainError('NOT_FOUND', 'Nothing was reserved under this reference.');
    this.outbox.wake();
    return { status };
  }

  /** Where nothing was reserved, nothing is held: that is what was asked for. */
  async release({ reference, attempt }: ReleaseRequest): Promise<SpendReply> {
    const only = attempt === undefined ? {} : { attempt };
    const status = await transaction(this.database.pool, (client) =>
      this.budgets.release(client, reference, only),
    );
    return { status: status ?? 'released' };
  }
}
