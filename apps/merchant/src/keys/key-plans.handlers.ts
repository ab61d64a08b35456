import { Controller, Inject } from '@nestjs/common';
import {
  keyPlansApi,
  type KeyRate,
  type SetKeyPlanReply,
  type SetKeyPlanRequest,
} from '@tollbridge/contracts';
import { DomainError, Handles, Validates, type CallContext, type FieldError } from '@tollbridge/rpc';
import { audited, Clock, Database, storeReply } from '@tollbridge/database';
import { OutboxWorker } from '@tollbridge/bootstrap';
import { isDeepStrictEqual } from 'node:util';
import { KeyPlansRepository, type PlannedKey } from './key-plans.repository';

/** Sets the plans of API keys. Only the operator's identity may call these operations (libs/contracts/src/calls.ts). */
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
      const to = { plan: request.plan, rate: rateOf(request) };
      const changed = !isDeepStrictEqual({ plan: from, rate: key.rate }, to);
      if (changed)
        await this.plans.change(client, { id: key.id, from: key, to, operator, reason }, { nowMs, context });
      const at = new Date(nowMs).toISOString();
      const done = { ...shown, from, to: to.plan, rate: to.rate, changed, at };
      await storeReply(client, context, done);
      return { result: done, before: recordOf(key), after: recordOf({ ...to, id: key.id }) };
    });
    // Publish the event immediately, so that gateways do not use the cached key until the relay's next poll.
    this.outbox.wake();
    return reply;
  }

  @Validates(keyPlansApi.operations.setKeyPlan)
  validateSetKeyPlan({ plan, perMinute, burst }: Partial<SetKeyPlanRequest>): FieldError[] {
    if (perMinute !== undefined && plan !== undefined && plan !== 'enterprise')
      return [{ field: 'perMinute', message: `is for the plan enterprise; ${plan} has a fixed rate` }];
    if (burst === undefined) return [];
    if (perMinute === undefined) return [{ field: 'burst', message: 'needs perMinute' }];
    return burst < perMinute ? [{ field: 'burst', message: `must be perMinute (${perMinute}) or more` }] : [];
  }
}

function rateOf({ perMinute, burst }: SetKeyPlanRequest): KeyRate | null {
  return perMinute === undefined ? null : { perMinute, burst: burst ?? 2 * perMinute };
}

const recordOf = ({ id, plan, rate }: Pick<PlannedKey, 'id' | 'plan' | 'rate'>): object => ({
  key: id,
  plan,
  ...(rate && { rate }),
});
