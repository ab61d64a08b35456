import type { MigrationInterface, QueryRunner } from 'typeorm';

export class PaylinkPauses1796800000000 implements MigrationInterface {
  readonly name = 'PaylinkPauses1796800000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(pauses);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE paylinks DROP COLUMN pauses');
  }
}

const pauses = `
  -- When it was switched off before it is now: [from, until] in milliseconds, oldest first. What was paid then is not
  -- counted, also when it is reported after the link was switched on again.
  ALTER TABLE paylinks ADD COLUMN pauses jsonb NOT NULL DEFAULT '[]';
`;
