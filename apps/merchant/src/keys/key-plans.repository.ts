import { Injectable } from '@nestjs/common';
import type { KeyPlan, KeyRate } from '@tollbridge/contracts';
import { isUuid, type CallContext } from '@tollbridge/rpc';
import type { TransactionClient } from '@tollbridge/database';
import { appendKeyChanged, type ChangedKey } from './keys.repository';

export interface PlannedKey {
  id: string;
  key: string;
  label: string;
  owner: string;
  plan: KeyPlan;
  /** Replaces the rate of the plan; null without an individual rate. */
  rate: KeyRate | null;
}

export interface PlanChange {
  id: string;
  from: Pick<PlannedKey, 'plan' | 'rate'>;
  to: Pick<PlannedKey, 'plan' | 'rate'>;
  operator: string;
  reason: string;
}

/**
 * Changes the plans of API keys, and records the changes. Uses SQL for a row lock, and for one statement that makes the
 * change and its record.
 */
@Injectable()
export class KeyPlansRepository {
  /**
   * Locks a key that is not deleted, so that concurrent changes are serialised and each records the previous plan.
   * @param named the id or the publishable half of the key
   */
  async lock(client: TransactionClient, named: string): Promise<PlannedKey | undefined> {
    const column = isUuid(named) ? 'id' : 'key';
    const { rows } = await client.query<PlannedKey>({
      name: `api-key-lock-by-${column}`,
      text: `SELECT id, key, label, owner, plan,
          CASE WHEN per_minute IS NOT NULL THEN json_build_object('perMinute', per_minute, 'burst', burst) END AS rate
        FROM api_keys WHERE ${column} = $1 AND deleted_at IS NULL FOR UPDATE`,
      values: [named],
    });
    return rows[0];
  }

  /** Changes the plan and rate of a locked key, and appends the event and the record of the change. */
  async change(
    client: TransactionClient,
    { id, from, to, operator, reason }: PlanChange,
    { nowMs, context }: { nowMs: number; context: CallContext },
  ): Promise<void> {
    const { requestId, principal } = context;
    const { rows } = await client.query<ChangedKey>({
      name: 'api-key-plan',
      text: changeStatement,
      values: [
        id,
        new Date(nowMs),
        requestId,
        from.plan,
        to.plan,
        operator,
        principal,
        reason,
        ...[from, to].flatMap(({ rate }) => [rate?.perMinute ?? null, rate?.burst ?? null]),
      ],
    });
    await appendKeyChanged(client, rows[0]!, { nowMs, context });
  }
}

const changeStatement = `
  WITH changed AS (
    UPDATE api_keys SET plan = $5, per_minute = $11, burst = $12, version = version + 1, updated_at = $2
    WHERE id = $1 RETURNING *
  ), logged AS (
    INSERT INTO key_plan_changes
      (key_id, owner, from_plan, to_plan, operator, caller, reason, request_id, key_version, changed_at,
       from_per_minute, from_burst, to_per_minute, to_burst)
    SELECT id, owner, $4, $5, $6, $7, $8, $3, version, $2, $9::integer, $10::integer, $11, $12 FROM changed
  )
  SELECT id, owner, enabled, deleted_at, version FROM changed`;
