import { randomUUID } from 'node:crypto';
import type { Pool, PoolClient } from 'pg';
import { transaction } from './database';

// SQL: operator commands use these functions with a pool and no entities.

/**
 * Table of the audit log of operators. It is append-only: the app's role may only insert and read, and a
 * trigger rejects changes by the owner too.
 */
export const operatorActionsTable = `
  CREATE TABLE operator_actions (
    seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    -- One per run, so that a run with an uncertain commit is recorded once.
    id uuid NOT NULL UNIQUE,
    at timestamptz NOT NULL DEFAULT now(),
    -- The person, as they name themselves; the caller is the identity that signed the call, or the command.
    operator text NOT NULL CHECK (operator <> ''),
    caller text NOT NULL CHECK (caller <> ''),
    action text NOT NULL CHECK (action <> ''),
    target text NOT NULL,
    reason text NOT NULL,
    outcome text NOT NULL CHECK (outcome IN ('done', 'failed')),
    before json,
    after json,
    error text,
    request_id text NOT NULL,
    CONSTRAINT operator_actions_failed CHECK ((outcome = 'failed') = (error IS NOT NULL))
  );
  CREATE FUNCTION reject_operator_action_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION 'operator_actions is append-only: % is rejected', TG_OP USING ERRCODE = 'restrict_violation';
    END $$;
  CREATE TRIGGER operator_actions_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON operator_actions
    FOR EACH STATEMENT EXECUTE FUNCTION reject_operator_action_change();
  DO $$
    DECLARE role_name name;
    BEGIN
      FOR role_name IN
        SELECT DISTINCT r.rolname FROM pg_class c, aclexplode(c.relacl) a JOIN pg_roles r ON r.oid = a.grantee
        WHERE c.oid = 'operator_actions'::regclass AND a.grantee <> c.relowner
      LOOP
        EXECUTE format('REVOKE ALL ON operator_actions FROM %I', role_name);
        EXECUTE format('GRANT SELECT, INSERT ON operator_actions TO %I', role_name);
      END LOOP;
    END $$;
`;
export const dropOperatorActionsTable =
  'DROP TABLE operator_actions; DROP FUNCTION reject_operator_action_change;';

export interface OperatorAction {
  /** Name of the operator. */
  operator: string;
  /** App identity that signed the call, or `command:<name>`. */
  caller: string;
  /** Name of the action, such as `refund-close`. */
  action: string;
  /** Id of the object of the action; never personal data, never a secret. */
  target: string;
  reason: string;
  requestId: string;
}

/** The result of an action, and the state before and after it, without secrets. */
export interface AuditedResult<T> {
  result: T;
  before?: object | null;
  after?: object | null;
}

export interface RecordedAction extends OperatorAction {
  seq: string;
  at: Date;
  outcome: 'done' | 'failed';
  before: object | null;
  after: object | null;
  error: string | null;
}

const longestText = 500;

/**
 * Runs an operator's action and writes its audit record in one transaction. A failed action is rolled back
 * and recorded as failed. Either way the action has one record.
 */
export async function audited<T>(
  pool: Pool,
  action: OperatorAction,
  work: (client: PoolClient) => Promise<AuditedResult<T>>,
): Promise<T> {
  const id = randomUUID();
  try {
    return await transaction(pool, async (client) => {
      const { result, before = null, after = null } = await work(client);
      await insert(client, id, action, { outcome: 'done', before, after, error: null });
      return result;
    });
  } catch (error) {
    // If the commit succeeded but its reply was lost, the record exists, and this insert has no effect.
    await insert(pool, id, action, { outcome: 'failed', before: null, after: null, error: textOf(error) });
    throw error;
  }
}

async function insert(
  client: Pick<PoolClient, 'query'>,
  id: string,
  { operator, caller, action, target, reason, requestId }: OperatorAction,
  { outcome, before, after, error }: Pick<RecordedAction, 'outcome' | 'before' | 'after' | 'error'>,
): Promise<void> {
  await client.query({
    name: 'operator-action',
    text: `INSERT INTO operator_actions
             (id, operator, caller, action, target, reason, outcome, before, after, error, request_id)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) ON CONFLICT (id) DO NOTHING`,
    values: [
      id,
      ...[operator, caller, action, target, reason].map((text) => text.slice(0, longestText)),
      outcome,
      before && JSON.stringify(before),
      after && JSON.stringify(after),
      error,
      requestId,
    ],
  });
}

function textOf(error: unknown): string {
  const { code, message } = error as { code?: unknown; message?: unknown };
  const text = message ? String(message) : String(error);
  return (typeof code === 'string' ? `${code}: ${text}` : text).slice(0, longestText);
}

export interface ActionFilters {
  operator?: string;
  action?: string;
  target?: string;
  since?: Date;
  limit: number;
}

/** Lists audit records, newest first. */
export async function listOperatorActions(pool: Pool, filters: ActionFilters): Promise<RecordedAction[]> {
  const { operator, action, target, since, limit } = filters;
  const { rows } = await pool.query<RecordedAction>(
    `SELECT seq::text, at, operator, caller, action, target, reason, outcome, before, after, error,
       request_id AS "requestId"
     FROM operator_actions
     WHERE ($1::text IS NULL OR operator = $1) AND ($2::text IS NULL OR action = $2)
       AND ($3::text IS NULL OR target = $3) AND ($4::timestamptz IS NULL OR at >= $4)
     ORDER BY seq DESC LIMIT $5`,
    [operator ?? null, action ?? null, target ?? null, since ?? null, limit],
  );
  return rows;
}
