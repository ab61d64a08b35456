import { Controller } from '@nestjs/common';
import {
  budgetsApi,
  type RecordReply,
  type RecordRequest,
  type ReleaseRequest,
  type ReserveReply,
  type ReserveRequest,
  type SpendReply,
} from '@tollbridge/contracts';
import { DomainError, Handles, type CallContext } from '@tollbridge/rpc';
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

  /** The spends share one statement, because they arrive together. */
  async record({ spends }: RecordRequest, context: CallContext): Promise<RecordReply> {
    const outcomes = await Promise.allSettled(spends.map((spend) => this.budgets.reserve(spend, context)));
    const failed = outcomes.find(isFault);
    if (failed) throw failed.reason;
    const limited = spends.filter((_, index) => !isUnbounded(outcomes[index]!));
    return { limitedKeys: [...new Set(limited.map(({ keyId }) => keyId))] };
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

/** Whether a reservation failed for another reason than a decision about the spend, such as an unreachable database. */
const isFault = (outcome: PromiseSettledResult<unknown>): outcome is PromiseRejectedResult =>
  outcome.status === 'rejected' && !(outcome.reason instanceof DomainError && outcome.reason.status < 500);

const isUnbounded = (outcome: PromiseSettledResult<ReserveReply>): boolean =>
  outcome.status === 'fulfilled' && outcome.value.isUnbounded;
