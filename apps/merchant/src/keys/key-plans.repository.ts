import { Injectable } from '@nestjs/common';
import type { KeyPlan } from '@tollbridge/contracts';
import { isUuid, type CallContext } from '@tollbridge/rpc';
import type { TransactionClient } from '@tollbridge/database';
import { changedEvents } from './keys.repository';

export interface PlannedKey {
  id: string;
  key: string;
  label: string;
  owner: string;
  plan: KeyPlan;
}

export interface PlanChange {
  id: string;
  from: KeyPlan;
  to: KeyPlan;
  operator: string;
  reason: string;
}

/** Plans of API keys, and the record of who changed them. */
@Injectable()
export class KeyPlansRepository {
  /**
   * Locks a key that is not deleted, so that concurrent changes follow each other and each records the plan before it.
   * @param named its id or its publishable half
   */
  async lock(client: TransactionClient, named: string): Promise<PlannedKey | undefined> {
    const column = isUuid(named) ? 'id' : 'key';
    const { rows } = await client.query<PlannedKey>({
      name: `api-key-lock-by-${column}`,
      text: `SELECT id, key, label, owner, plan FROM api_keys
        WHERE ${column} = $1 AND deleted_at IS NULL FOR UPDATE`,
      values: [named],
    });
    return rows[0];
  }

  /** Changes the plan of a locked key, with its event and its record. */
  async change(
    client: TransactionClient,
    { id, from, to, operator, reason }: PlanChange,
    { nowMs, context }: { nowMs: number; context: CallContext },
  ): Promise<void> {
    const { requestId, traceparent, principal } = context;
    await client.query({
      name: 'api-key-plan',
      text: changeStatement,
      values: [id, new Date(nowMs), requestId, traceparent, from, to, operator, principal, reason],
    });
  }
}

const changeStatement = `
  WITH changed AS (
    UPDATE api_keys SET plan = $6, version = version + 1, updated_at = $2 WHERE id = $1 RETURNING *
  ), published AS (${changedEvents})
  INSERT INTO key_plan_changes
    (key_id, owner, from_plan, to_plan, operator, caller, reason, request_id, key_version, changed_at)
  SELECT id, owner, $5, $6, $7, $8, $9, $3::text, version, $2 FROM changed`;
