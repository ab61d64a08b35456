import { Controller, Inject } from '@nestjs/common';
import { keyPlansApi, type SetKeyPlanReply, type SetKeyPlanRequest } from '@tollbridge/contracts';
import { DomainError, Handles, type CallContext } from '@tollbridge/rpc';
import { Clock, Database, storeReply, transaction } from '@tollbridge/database';
import { OutboxWorker } from '@tollbridge/bootstrap';
import { KeyPlansRepository } from './key-plans.repository';

/** Sets the plans of API keys for the operator: only its identity may call these operations (libs/contracts/src/calls.ts). */
@Controller()
@Handles(keyPlansApi)
export class KeyPlansHandlers {
  constructor(
    private readonly plans: KeyPlansRepository,
    private readonly database: Database,
    private readonly outbox: OutboxWorker,
    @Inject(Clock) private readonly clock: Clock,
  ) {}

  async setKeyPlan(request: SetKeyPlanRequest, context: CallContext): Promise<SetKeyPlanReply> {
    const nowMs = this.clock.now();
    const reply = await transaction(this.database.pool, async (client) => {
      const key = await this.plans.lock(client, request.key);
      if (!key) throw new DomainError('NOT_FOUND', 'There is no such API key, or it was deleted.');
      const { plan: from, ...named } = key;
      const { plan: to, operator, reason } = request;
      const changed = from !== to;
      if (changed)
        await this.plans.change(client, { id: key.id, from, to, operator, reason }, { nowMs, context });
      const done = { ...named, from, to, changed, at: new Date(nowMs).toISOString() };
      await storeReply(client, context, done);
      return done;
    });
    // Gateways drop the cached key at once, not when the relay next polls.
    this.outbox.wake();
    return reply;
  }
}
