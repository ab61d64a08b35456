import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Chains1797200000000 implements MigrationInterface {
  readonly name = 'Chains1797200000000';

  async up(runner: QueryRunner): Promise<void> {
    // Of the grant of a chain: the last link that was revealed.
    await runner.query('ALTER TABLE sessions ADD COLUMN link bytea CHECK (octet_length(link) = 32)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE sessions DROP COLUMN link');
  }
}
