import type { MigrationInterface, QueryRunner } from 'typeorm';

export class KeyRates1801990000000 implements MigrationInterface {
  readonly name = 'KeyRates1801990000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE key_plan_changes
        ADD COLUMN from_per_minute integer,
        ADD COLUMN from_burst integer,
        ADD COLUMN to_per_minute integer,
        ADD COLUMN to_burst integer,
        DROP CONSTRAINT key_plan_changes_check,
        ADD CONSTRAINT key_plan_changes_real CHECK (
          from_plan <> to_plan
          OR from_per_minute IS DISTINCT FROM to_per_minute
          OR from_burst IS DISTINCT FROM to_burst
        ) NOT VALID;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE key_plan_changes
        DROP CONSTRAINT key_plan_changes_real,
        ADD CONSTRAINT key_plan_changes_check CHECK (from_plan <> to_plan) NOT VALID,
        DROP COLUMN from_per_minute,
        DROP COLUMN from_burst,
        DROP COLUMN to_per_minute,
        DROP COLUMN to_burst;
    `);
  }
}
