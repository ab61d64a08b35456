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
    name text PRIMARY KEY,
    ahead_ms bigint NOT NULL
  );
  INSERT INTO clock (name, ahead_ms) VALUES ('sandbox', 0);
`;
