import { Controller } from '@nestjs/common';
import {
  budgetsApi,
  type ReleaseRequest,
  type ReserveReply,
  type ReserveRequest,
  type SpendReply,
} from '@tollbridge/contracts';
import { Handles, type CallContext } from '@tollbridge/rpc';
import { Database, transaction } from '@tollbridge/database';
import { Budgets } from './budgets';

/** Internal operations on budgets, called by the services that spend on behalf of a key. */
@Controller()
@Handles(budgetsApi)
export class BudgetsHandlers {
  constructor(
    private readonly budgets: Budgets,
    private readonly database: Database,
  ) {}

  async reserve(request: ReserveRequest, context: CallContext): Promise<ReserveReply> {
    return this.budgets.reserve(request, context);
  }

  /** Releasing an unknown reference succeeds, since nothing is reserved for it. */
  async release({ reference, attempt }: ReleaseRequest): Promise<SpendReply> {
    const only = attempt === undefined ? {} : { attempt };
    const status = await transaction(this.database.pool, (client) =>
      this.budgets.release(client, reference, only),
    );
    return { status: status ?? 'released' };
  }
}
