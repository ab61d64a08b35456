import type { MigrationInterface, QueryRunner } from 'typeorm';

export class KeyPlanChanges1797030000000 implements MigrationInterface {
  readonly name = 'KeyPlanChanges1797030000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(keyPlanChanges);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE key_plan_changes');
    await runner.query('DROP FUNCTION refuse_key_plan_change()');
  }
}

const keyPlanChanges = `
  -- An audit log: rows are only added.
  CREATE TABLE key_plan_changes (
    seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    key_id uuid NOT NULL REFERENCES api_keys,
    owner text NOT NULL,
    from_plan text NOT NULL CHECK (from_plan IN ('free', 'pro', 'enterprise')),
    to_plan text NOT NULL CHECK (to_plan IN ('free', 'pro', 'enterprise')),
    -- The person, as they name themselves; the caller is the identity that signed the call.
    operator text NOT NULL CHECK (operator <> ''),
    caller text NOT NULL,
    reason text NOT NULL CHECK (reason <> ''),
    request_id text NOT NULL,
    -- The version of the key that the change made, as its event names it.
    key_version integer NOT NULL,
    changed_at timestamptz NOT NULL,
    CHECK (from_plan <> to_plan),
    UNIQUE (key_id, key_version)
  );
  CREATE FUNCTION refuse_key_plan_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION 'key_plan_changes is append-only: % is rejected', TG_OP USING ERRCODE = 'restrict_violation';
    END $$;
  CREATE TRIGGER key_plan_changes_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON key_plan_changes
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_key_plan_change();
`;
