import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Clock1799500000000 implements MigrationInterface {
  readonly name = 'Clock1799500000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(clock);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE clock');
  }
}

const clock = `
  CREATE TABLE clock (
    is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
    ahead_ms bigint NOT NULL CHECK (ahead_ms >= 0)
  );
  INSERT INTO clock (ahead_ms) VALUES (0);
`;
