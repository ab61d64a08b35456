import { Controller, Inject } from '@nestjs/common';
import { keyPlansApi, type SetKeyPlanReply, type SetKeyPlanRequest } from '@tollbridge/contracts';
import { DomainError, Handles, type CallContext } from '@tollbridge/rpc';
import { audited, Clock, Database, storeReply } from '@tollbridge/database';
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
    const { operator, reason } = request;
    const action = { operator, reason, action: 'key-plan', target: request.key };
    const named = { ...action, caller: context.principal, requestId: context.requestId };
    const reply = await audited(this.database.pool, named, async (client) => {
      const key = await this.plans.lock(client, request.key);
      if (!key) throw new DomainError('NOT_FOUND', 'There is no such API key, or it was deleted.');
      const { plan: from, ...shown } = key;
      const { plan: to } = request;
      const changed = from !== to;
      if (changed)
        await this.plans.change(client, { id: key.id, from, to, operator, reason }, { nowMs, context });
      const done = { ...shown, from, to, changed, at: new Date(nowMs).toISOString() };
      await storeReply(client, context, done);
      return { result: done, before: { key: key.id, plan: from }, after: { key: key.id, plan: to } };
    });
    // Gateways drop the cached key at once, not when the relay next polls.
    this.outbox.wake();
    return reply;
  }
}
